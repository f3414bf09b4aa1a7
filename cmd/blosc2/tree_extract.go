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
	"github.com/seed03b80dae/blosc2/tree"
)

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
		return withName(name+":"+key, s.unknown(key, err))
	}
	folder := c.Out
	if folder == "" {
		folder = strings.TrimSuffix(filepath.Base(localName(name)), filepath.Ext(name))
	}
	n, failed := 0, false
	report := func(k string, err error) {
		e.report(withName(s.name+":"+k, err))
		failed = true
	}
	extract := func(k string) error {
		node, err := s.Node(k)
		if err != nil {
			report(k, err)
			return nil
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(k, strings.TrimSuffix(key, "/")), "/")
		if rel == "" {
			rel = path.Base(k)
		}
		if rel == "/" { // the whole store is a table
			rel = "table"
		}
		if !filepath.IsLocal(filepath.FromSlash(rel)) {
			return withName(s.name+":"+k, fmt.Errorf("%q is not a valid file name", rel))
		}
		done, damage, err := c.write(e, s, node, filepath.Join(folder, filepath.FromSlash(rel)))
		if damage != nil {
			report(k, damage)
		}
		if done {
			n++
		}
		return withName(s.name+":"+k, err)
	}
	metadata := func(group string) error {
		k := path.Join(group, metadataName)
		if _, err := s.Node(k); !s.IsTree() || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return extract(k)
	}
	if node, _ := s.Node(key); node != nil && node.Kind() == tree.KindGroup {
		err = metadata(key)
	}
	if err == nil {
		err = s.below(key, true, func(k string) error {
			if node, err := s.Node(k); err == nil && node.Kind() == tree.KindGroup {
				return metadata(k)
			}
			return extract(k)
		})
	}
	if err == nil {
		e.note("%s: %s in %s", c.Store, count(int64(n), "file"), folder)
	}
	if err == nil && failed {
		err = errReported
	}
	return err
}

// write writes a node to a file. It returns false for groups and remote arrays, which
// have no file. If a frame is damaged, write writes it as it is, if possible, and
// returns the damage.
func (c *treeCmd) write(e *env, s *openStore, n *tree.Node, to string) (done bool, damage, err error) {
	switch n.Kind() {
	case tree.KindGroup:
		return false, nil, nil
	case tree.KindRemote:
		e.note("%s:%s: is a reference to an array elsewhere and was left out", s.name, n.Key())
		return false, nil, nil
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
		return false, nil, err
	}
	flags := c.outFlags
	flags.Out = to
	out, err := e.create(to, flags)
	if err != nil {
		return false, nil, err
	}
	w := out.writer()
	if n.Kind() == tree.KindTable {
		damage, err = extractTable(w, n)
	} else {
		var f file
		if f, err = s.open(n.Key()); err == nil {
			var size int64
			if size, err = io.Copy(w, f); err == nil {
				damage = soundFrame(f, size)
			}
			f.Close()
		}
	}
	if damage != nil && err != nil { // without its damaged frames it is not a table
		e.abandon(out, to, 0, err)
		return false, damage, nil
	}
	if err != nil {
		return false, nil, e.abandon(out, to, 0, err)
	}
	return true, damage, e.commit(out)
}

// soundFrame returns the first fault of a frame, or nil if it has none.
func soundFrame(r io.ReaderAt, size int64) error {
	report, err := frame.Verify(r, size)
	if err == nil && len(report.Faults) > 0 {
		err = report.Faults[0].Err
	}
	return err
}

// extractTable writes a table as a store in a zip. It also returns the first fault of
// its frames, if any.
func extractTable(w io.Writer, n *tree.Node) (damage, err error) {
	items, err := tableItems(n)
	if err != nil {
		return err, err
	}
	for _, item := range items {
		if err := soundFrame(item.Frame, item.Length); err != nil {
			damage = fmt.Errorf("%s: %w", item.Key, err)
			break
		}
	}
	return damage, tree.Write(w, tree.Contents{Items: items})
}

// copyTable writes a table as a store in a zip.
func copyTable(w io.Writer, n *tree.Node) error {
	items, err := tableItems(n)
	if err != nil {
		return err
	}
	return tree.Write(w, tree.Contents{Items: items})
}

// tableItems returns the frames of a table.
func tableItems(n *tree.Node) ([]tree.Item, error) {
	s, err := n.Store()
	if err != nil {
		return nil, err
	}
	return s.Copy()
}
