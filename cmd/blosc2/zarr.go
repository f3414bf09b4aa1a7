package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// zarrCmd is "blosc2 zarr".
type zarrCmd struct {
	Force  bool
	Action string
	From   string
	To     string
}

func (c *zarrCmd) define(g *grammar) {
	g.BoolVarP(&c.Force, "force", "f", false, "Overwrite existing files.")
	g.argument(&c.Action, "ACTION", "export writes an array, or the arrays and columns of tables of a store, as Zarr of format 3: chunks become shards, blocks their inner chunks. import reads Zarr of formats 2 and 3.")
	g.argument(&c.From, "FROM", "For export an array (.b2nd), a store or STORE:/KEY; for import a folder of Zarr, or its URL.")
	g.argument(&c.To, "TO", "For export a folder; for import an array (.b2nd), or a store (.b2z) of all arrays.")
}

// check returns an error for an unknown action.
func (c *zarrCmd) check(*grammar) error {
	if c.Action != "export" && c.Action != "import" {
		return fmt.Errorf("%s: must be export or import", printable(c.Action))
	}
	return nil
}

// Run carries out the action.
func (c *zarrCmd) Run(e *env) error {
	if _, err := os.Lstat(c.To); err == nil && !c.Force {
		return withName(c.To, errors.New("already exists; --force overwrites it"))
	}
	if c.Action == "import" {
		return c.read(e)
	}
	return c.export(e)
}

// zarrMarks are the names of the files that identify a Zarr folder.
var zarrMarks = []string{zarr.MetaV3, zarr.MetaV2, ".zgroup"}

// isZarr reports whether a name is that of a Zarr folder. For a URL it looks at the suffix.
func isZarr(name string) bool {
	if isURL(name) {
		return strings.HasSuffix(strings.TrimRight(name, "/"), ".zarr") || strings.Contains(name, ".zarr/")
	}
	for _, mark := range zarrMarks {
		if info, err := os.Stat(filepath.Join(name, mark)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// isZarrArray reports whether a folder is a Zarr array.
func isZarrArray(name string) bool {
	is, err := zarr.IsArray(os.DirFS(name), ".")
	return is && err == nil
}

// export writes arrays of a file or a store as Zarr arrays.
func (c *zarrCmd) export(e *env) error {
	file, key, inside := splitStore(c.From)
	if !inside && !isStore(c.From) {
		return c.exportArray(e, c.From, c.To)
	}
	if !inside {
		key = "/"
	}
	s, err := e.openStore(file)
	if err != nil {
		return err
	}
	defer s.Close()
	n, err := s.Node(key)
	if err != nil {
		return withName(c.From, s.unknown(key, err))
	}
	if n.Kind() == tree.KindTable {
		columns, err := exportTable(e, s.Store, key, c.From, c.To)
		if err == nil {
			e.note("%s: %s in %s", c.From, count(int64(columns), "column"), c.To)
		}
		return withName(c.From, err)
	}
	if n.Kind() != tree.KindGroup {
		return c.exportNode(e, n, c.From, c.To)
	}
	arrays := 0
	err = s.below(key, true, func(k string) error {
		name := s.name + ":" + k
		n, err := s.Node(k)
		if err != nil {
			return withName(name, err)
		}
		to := filepath.Join(c.To, filepath.FromSlash(strings.TrimPrefix(k, strings.TrimSuffix(key, "/"))))
		switch n.Kind() {
		case tree.KindGroup:
			return withName(name, group(n, to))
		case tree.KindArray, tree.KindTensor:
			if err := c.exportNode(e, n, name, to); errors.Is(err, blosc2.ErrUnsupported) {
				e.note("%s: left out: %s", name, plain(err))
			} else if err != nil {
				return withName(name, err)
			} else {
				arrays++
			}
		case tree.KindTable:
			columns, err := exportTable(e, s.Store, k, name, to)
			if err != nil {
				return withName(name, err)
			}
			arrays += columns
		default:
			e.note("%s: left out: Zarr has no %s", name, n.Kind())
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.note("%s: %s in %s", c.From, count(int64(arrays), "array"), c.To)
	return withName(c.To, group(n, c.To))
}

// group writes the metadata of a Zarr group.
func group(n *tree.Node, to string) error {
	m, err := n.Metadata()
	if err != nil {
		return err
	}
	b, err := zarr.GroupV3(attributes(m))
	if err != nil {
		return err
	}
	return putFile(to, zarr.MetaV3, b)
}

// attributes returns metadata as JSON, or nil if there are none.
func attributes(m meta.Map) json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	return rows.AppendValue(nil, m)
}

// putFile writes a file below a folder.
func putFile(folder, name string, data []byte) error {
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

func (c *zarrCmd) exportArray(e *env, name, to string) error {
	t, err := e.openTarget(name)
	if err != nil {
		return err
	}
	defer t.Close()
	if t.kind != kindArray {
		return withName(name, errors.New("is not an array"))
	}
	return withName(name, c.exportNode(e, tree.FromFrame(t.frame), name, to))
}

// exportNode writes the array of a node as a Zarr array.
func (c *zarrCmd) exportNode(e *env, n *tree.Node, name, to string) error {
	if f, err := n.Frame(); err == nil {
		if err := meansNothing(f); err != nil {
			return withName(name, err)
		}
	}
	a, err := n.Array()
	if err != nil {
		return err
	}
	user, err := n.Metadata()
	if err != nil {
		return err
	}
	m, err := zarr.Of(a, attributes(user))
	if err != nil {
		return err
	}
	bar, done := e.newBar(name, 0), int64(0)
	defer bar.end()
	return zarr.Write(m, a, func(file string, data []byte) error {
		done += int64(len(data))
		bar.add(done)
		return putFile(to, file, data)
	})
}
