package main

import (
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
	if c.Action == "add" {
		return c.add(e, &g)
	}
	content := tree.Contents{Items: g.items, Tables: g.tables}
	if _, err := os.Lstat(c.Store); err == nil && !c.Force {
		return about(c.Store, fmt.Errorf("exists already; --force replaces it"))
	}
	var err error
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
	return about(c.Store, err)
}

// gathered holds the items for a store.
type gathered struct {
	items  []tree.Item
	tables []string
	open   []io.Closer
}

func (g *gathered) close() {
	for _, f := range g.open {
		f.Close()
	}
}

// gather takes KEY=FILE, FILE or a folder.
func (g *gathered) gather(word string) error {
	key, name, given := strings.Cut(word, "=")
	if _, err := os.Stat(word); err == nil || !given {
		key, name = "/"+filepath.ToSlash(strings.TrimSuffix(filepath.Base(word), filepath.Ext(word))), word
	}
	if isURL(name) {
		return misusef("%s: is remote; must be a file", publicName(name))
	}
	key = path.Clean("/" + key)
	info, err := os.Stat(name)
	if err != nil {
		return about(name, err)
	}
	if !info.IsDir() {
		return about(name, g.file(key, name))
	}
	if isStore(name) {
		return about(name, g.store(key, name))
	}
	if isSparse(name) {
		return about(name, errors.New("is a sparse frame; \"blosc2 compact\" makes one file of it"))
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
		return about(file, g.file(path.Join(key, filepath.ToSlash(strings.TrimSuffix(rel, filepath.Ext(rel)))), file))
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

// file takes a frame, or a table of comma-separated values or in a Parquet file.
func (g *gathered) file(key, name string) error {
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
		return g.csv(key, f)
	}
	g.open = append(g.open, f)
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

// store takes another store as a whole, as a group or a table.
func (g *gathered) store(key, name string) error {
	s, err := tree.OpenFile(name)
	if err != nil {
		return err
	}
	g.open = append(g.open, s)
	return g.all(key, s)
}

// parquet makes a table of a Parquet file.
func (g *gathered) parquet(key, name string) error {
	f, err := spooled(func(to io.Writer) error { return runParquet(name, nil, to) })
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

// all takes the items of an open store.
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

// csv makes a table from comma-separated values.
func (g *gathered) csv(key string, f *os.File) error {
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
	g.open = append(g.open, b) // the contents belong to the Builder
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

// extract writes the frames of a store as files of a folder, and tables as
// separate stores.
func (c *treeCmd) extract(e *env) error {
	name, key, ok := splitStore(c.Store)
	if !ok {
		key = "/"
	}
	s, err := e.openStore(name)
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Node(key); err != nil {
		return about(name+":"+key, s.unknown(key, err))
	}
	folder := c.Out
	if folder == "" {
		folder = strings.TrimSuffix(filepath.Base(localName(name)), filepath.Ext(name))
	}
	n, failed := 0, false
	err = s.below(key, true, func(k string) error {
		node, err := s.Node(k)
		if err != nil {
			e.report(about(s.name+":"+k, err))
			failed = true
			return nil
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(k, strings.TrimSuffix(key, "/")), "/")
		if rel == "" {
			rel = path.Base(k)
		}
		if rel == "/" { // the store is a table
			rel = "table"
		}
		if !filepath.IsLocal(filepath.FromSlash(rel)) {
			return about(s.name+":"+k, fmt.Errorf("%q is not a valid file name", rel))
		}
		done, err := c.write(e, s, node, filepath.Join(folder, filepath.FromSlash(rel)))
		if done {
			n++
		}
		return about(s.name+":"+k, err)
	})
	if err == nil {
		e.note("%s: %s in %s", c.Store, count(int64(n), "file"), folder)
	}
	if err == nil && failed {
		err = errReported
	}
	return err
}

// write writes a node to a file. It returns false for groups and remote arrays,
// which have no file.
func (c *treeCmd) write(e *env, s *openStore, n *tree.Node, to string) (done bool, err error) {
	switch n.Kind() {
	case tree.KindGroup:
		return false, nil
	case tree.KindRemote:
		e.note("%s:%s: is a reference to an array elsewhere and was left out", s.name, n.Key())
		return false, nil
	case tree.KindArray, tree.KindRecipe, tree.KindProxy:
		to += arraySuffix
	case tree.KindTable:
		to += ".b2z"
	case tree.KindBatches, tree.KindList:
		to += ".b2b"
	case tree.KindEmbed:
		to += ".b2e"
	default:
		to += frameSuffix
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return false, err
	}
	flags := c.outFlags
	flags.Out = to
	out, err := e.create(to, flags)
	if err != nil {
		return false, err
	}
	w := out.writer()
	if n.Kind() == tree.KindTable {
		err = copyTable(w, n)
	} else {
		var f file
		if f, err = s.open(n.Key()); err == nil {
			_, err = io.Copy(w, f)
			f.Close()
		}
	}
	if err != nil {
		return false, e.abandon(out, to, 0, err)
	}
	return true, e.commit(out)
}

// copyTable writes a table as a store in a zip.
func copyTable(w io.Writer, n *tree.Node) error {
	s, err := n.Store()
	if err != nil {
		return err
	}
	items, err := s.Copy()
	if err != nil {
		return err
	}
	return tree.Write(w, tree.Contents{Items: items})
}
