package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/frame"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// treeCmd is "blosc2 tree".
type treeCmd struct {
	outFlags
	Action string
	Store  string
	Files  []string
}

func (c *treeCmd) define(g *grammar) {
	c.outFlags.define(g)
	g.argument(&c.Action, "ACTION", "create makes a store, add adds to one, extract writes its contents as files.")
	g.argument(&c.Store, "STORE", "Store: a zip (.b2z), a folder (.b2d) or one frame (.b2e); for extract also STORE:/KEY.")
	g.files(&c.Files, "Frames, arrays, stores, folders of these, and .csv and .parquet files, which become tables; KEY=FILE sets the key.")
}

// check returns an error for arguments that do not fit the action.
func (c *treeCmd) check(*grammar) error {
	switch c.Action {
	case "create", "add":
		if len(c.Files) == 0 {
			return errors.New("FILE is missing")
		}
		if c.Out != "" {
			return errors.New("-o is only for extract; create and add write STORE")
		}
	case "extract":
		if len(c.Files) > 0 {
			return errors.New("extract takes one STORE or STORE:/KEY")
		}
	default:
		return fmt.Errorf("%s: must be create, add or extract", printable(c.Action))
	}
	return nil
}

// Run carries out the action.
func (c *treeCmd) Run(e *env) error {
	if c.Action == "extract" {
		return c.extract(e)
	}
	if isURL(c.Store) {
		return misusef("%s: is remote; must be a file", publicName(c.Store))
	}
	var g gathered
	defer g.close()
	for _, name := range c.Files {
		if err := g.gather(name); err != nil {
			return err
		}
	}
	if err := g.check(); err != nil {
		return err
	}
	if c.Action == "add" {
		return c.add(e, &g)
	}
	if _, err := os.Lstat(c.Store); err == nil && !c.Force {
		return withName(c.Store, fmt.Errorf("already exists; --force replaces it"))
	}
	var err error
	e.watchSignals()
	bar := g.watch(e, c.Store)
	defer bar.end()
	content := tree.Contents{Items: g.items, Tables: g.tables}
	switch filepath.Ext(c.Store) {
	case ".b2z", ".b2e":
		err = tree.WriteFile(c.Store, content)
	case ".b2d":
		err = tree.WriteFolder(c.Store, content)
	default:
		return misusef("%s: the name of a store ends in .b2z, .b2d or .b2e", c.Store)
	}
	if err == nil {
		e.note("%s: %s", c.Store, count(int64(len(g.items)), "frame"))
	}
	return withName(c.Store, err)
}

// metadataName is the last part of the key that holds the metadata of a group.
const metadataName = "__vlmeta__"

// A gathered holds the items to be added to a store.
type gathered struct {
	items  []tree.Item
	tables []string
	open   []io.Closer

	from   []string          // for each item, the file that it is from
	owners map[string]string // for each table, by its key, the file that it is from
	owned  int               // number of tables recorded in owners
}

// watch returns a bar that shows how much of all items has been read.
func (g *gathered) watch(e *env, store string) *bar {
	total := int64(0)
	for _, it := range g.items {
		total += it.Length
	}
	bar := e.newBar(store, total)
	for i := range g.items {
		g.items[i].Frame = bar.reading(g.items[i].Frame)
	}
	return bar
}

func (g *gathered) close() {
	for _, f := range g.open {
		f.Close()
	}
}

// check returns an error if a frame or a table would be in a table of another file,
// where no reader would find it.
func (g *gathered) check() error {
	for i, it := range g.items {
		for group := path.Dir(it.Key); ; group = path.Dir(group) {
			owner, ok := g.owners[group]
			switch {
			case ok && owner != g.from[i] && group == "/":
				return withName(g.from[i], fmt.Errorf("cannot be in a store that is one table, %s; use KEY=%[1]s to set another key for the table", owner))
			case ok && owner != g.from[i]:
				return withName(g.from[i], fmt.Errorf("cannot have the key %s in %s, which is a table, %s", it.Key, group, owner))
			}
			if group == "/" {
				break
			}
		}
	}
	return nil
}

// keyOf returns a key in its shortest form. Keys with "..", and keys that stores use
// for themselves, are an error.
func keyOf(key string) (string, error) {
	for part := range strings.SplitSeq(key, "/") {
		switch part {
		case "..", "_meta", metadataName:
			return "", misusef("key %s: %q must not be in a key", printable(key), part)
		}
	}
	if strings.ContainsAny(key, ":\x00\r\n\t") {
		return "", misusef("key %s: must not have a colon or control characters", printable(key))
	}
	return path.Clean("/" + key), nil
}

// gather adds the items of KEY=FILE, of FILE or of a folder. FILE may be STORE:/KEY.
func (g *gathered) gather(word string) error {
	key, name, given := strings.Cut(word, "=")
	if _, err := os.Stat(word); err == nil || !given {
		key, name, given = filepath.ToSlash(strings.TrimSuffix(filepath.Base(word), filepath.Ext(word))), word, false
	}
	if isURL(name) {
		return misusef("%s: is remote; must be a file", publicName(name))
	}
	store, member, inStore := splitStore(name)
	if inStore && !given {
		key = path.Base(member)
	}
	key, err := keyOf(key)
	if err != nil {
		return err
	}
	if inStore {
		return withName(name, g.recordSource(name, g.member(key, store, member)))
	}
	info, err := os.Stat(name)
	if err != nil {
		return withName(name, err)
	}
	if !info.IsDir() {
		return withName(name, g.file(key, name))
	}
	if isStore(name) {
		return withName(name, g.recordSource(name, g.store(key, name)))
	}
	if isSparse(name) {
		return withName(name, errors.New("is a sparse frame; \"blosc2 compact\" writes it to one file"))
	}
	if !given {
		key = "/"
	}
	return filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !g.wanted(file) {
			return err
		}
		rel, err := filepath.Rel(name, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(strings.TrimSuffix(rel, filepath.Ext(rel)))
		if path.Base(rel) != metadataName { // extract writes files of this name
			if _, err := keyOf(rel); err != nil {
				return withName(file, err)
			}
		}
		return withName(file, g.file(path.Join(key, rel), file))
	})
}

// wanted reports whether a file in a folder goes into the store, by its suffix.
func (g *gathered) wanted(name string) bool {
	switch filepath.Ext(name) {
	case arraySuffix, frameSuffix, ".b2f", ".b2b", ".b2z", ".b2e", csvSuffix, parquetSuffix:
		return true
	}
	return false
}

// recordSource records that the items and tables added since the last call are from a
// file. It returns err.
func (g *gathered) recordSource(name string, err error) error {
	if g.owners == nil {
		g.owners = map[string]string{}
	}
	for _, it := range g.items[len(g.from):] {
		g.from = append(g.from, name)
		if it.Key == "/_meta" {
			g.owners["/"] = name
		}
	}
	for _, t := range g.tables[g.owned:] {
		g.owners[t] = name
	}
	g.owned = len(g.tables)
	return err
}

// file takes a frame, or a table of comma-separated values or in a Parquet file.
func (g *gathered) file(key, name string) error { return g.recordSource(name, g.contents(key, name)) }

// contents is like file, but does not record from which file the items are.
func (g *gathered) contents(key, name string) error {
	if isStore(name) {
		return g.store(key, name)
	}
	if isParquet(name) {
		return g.parquet(key, name)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	if filepath.Ext(name) == csvSuffix {
		defer f.Close()
		text, err := withCommas(f)
		if err == nil {
			defer text.Close()
			err = g.csv(key, text)
		}
		if isMisuse(err) { // the error is about a column
			return misusef("%s: %s", name, plain(err))
		}
		return err
	}
	if ext := filepath.Ext(name); ext == npySuffix || ext == ".npz" {
		f.Close()
		return fmt.Errorf("is not a Blosc2 file; \"blosc2 compress %s\" compresses it", shown(name))
	}
	g.open = append(g.open, f)
	return g.frame(key, f)
}

// frame takes an open frame.
func (g *gathered) frame(key string, f file) error {
	if key == "/" {
		return errors.New("only a table or a store can have the key /; use KEY=FILE")
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fr, err := frame.Open(f, info.Size(), frame.SealedOnly())
	if err != nil {
		return err
	}
	g.items = append(g.items, tree.Item{Key: key, Frame: f, Length: fr.FrameLen()})
	return nil
}

// member adds a leaf, a table or a group of another store.
func (g *gathered) member(key, name, of string) error {
	s, err := tree.OpenFile(name)
	if err != nil {
		return err
	}
	g.open = append(g.open, s)
	o := &openStore{Store: s, name: name}
	n, err := s.Node(of)
	if err != nil {
		return o.unknown(of, err)
	}
	if k := n.Kind(); k == tree.KindGroup || k == tree.KindTable {
		part, err := n.Store()
		if err != nil {
			return err
		}
		return g.all(key, part)
	}
	f, err := o.open(of)
	if err != nil {
		return err
	}
	g.open = append(g.open, f)
	return g.frame(key, f)
}

// store adds all of another store, as a group or a table.
func (g *gathered) store(key, name string) error {
	s, err := tree.OpenFile(name)
	if err != nil {
		return err
	}
	g.open = append(g.open, s)
	return g.all(key, s)
}

// parquet adds the table in a Parquet file.
func (g *gathered) parquet(key, name string) error {
	f, err := spooled(func(to *os.File) error { return runParquet(name, nil, to) })
	if err != nil {
		return err
	}
	g.open = append(g.open, f)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s, err := tree.Open(f, info.Size())
	if err != nil {
		return err
	}
	return g.all(key, s)
}

// all adds the items of an open store.
func (g *gathered) all(key string, s *tree.Store) error {
	items, err := s.Copy()
	if err != nil {
		return err
	}
	prefix := strings.TrimSuffix(key, "/")
	for _, item := range items {
		item.Key = prefix + item.Key
		g.items = append(g.items, item)
	}
	for _, t := range s.Tables() {
		if t = path.Join(key, t); t != "/" {
			g.tables = append(g.tables, t)
		}
	}
	return nil
}

// withCommas returns a file of values that semicolons or tabs separate, by its first
// line, with commas instead, and any other as it is.
func withCommas(f file) (file, error) {
	t := &csvTable{file: f}
	r, err := t.reader()
	if err != nil {
		return nil, err
	}
	if t.comma == ',' {
		_, err := f.Seek(0, io.SeekStart)
		return f, err
	}
	out, err := spooled(func(to *os.File) error {
		w := csv.NewWriter(to)
		for {
			row, err := r.Read()
			if err == io.EOF {
				w.Flush()
				return w.Error()
			}
			if err == nil {
				err = w.Write(row)
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// csv adds a table of comma-separated values.
func (g *gathered) csv(key string, f file) error {
	specs, err := tables.InferCSV(f)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	b, err := tables.NewBuilder(specs...)
	if err != nil {
		return err
	}
	g.open = append(g.open, b) // the contents belong to b, which must stay open
	if _, err := b.AppendCSV(f); err != nil {
		return err
	}
	c, err := b.Contents(key)
	if err != nil {
		return err
	}
	g.items = append(g.items, c.Items...)
	g.tables = append(g.tables, c.Tables...)
	return nil
}
