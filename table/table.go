package table

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// A Table reads the rows and columns of a table.
type Table struct {
	store  *tree.Store
	schema *Schema
	places int64
	live   live

	mu      sync.Mutex
	columns map[string]*Column
	close   func() error
}

// OpenFile opens the table at the root of a store: a zip, a folder or a single
// frame. Close closes the file.
func OpenFile(path string, opts ...tree.Option) (_ *Table, err error) {
	defer fsio.AddPath("open", path, &err)
	s, err := tree.OpenFile(path, opts...)
	if err != nil {
		return nil, err
	}
	t, err := Open(s, "/")
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	t.close = s.Close
	return t, nil
}

// Open opens the table at a key of a store, "/" for a store that is one table.
// It reads the schema and the array of valid rows. The store must stay open.
//
// Anything but a table results in blosc2.ErrUnsupported; a table that does not fit
// its schema results in blosc2.ErrCorrupt.
func Open(s *tree.Store, key string) (*Table, error) {
	if err := framing.Need(s != nil, "store", "a *tree.Store"); err != nil {
		return nil, err
	}
	n, err := s.Node(key)
	if err != nil {
		return nil, err
	}
	sub, err := n.Store()
	if err != nil || n.Kind() != tree.KindTable && n.Kind() != tree.KindEmbed {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "%s is not a table, but %s", key, n.Kind())
	}
	t := &Table{store: sub, columns: map[string]*Column{}}
	if t.schema, err = readSchema(sub); err != nil {
		return nil, err
	}
	valid, err := t.array("/_valid_rows")
	if err != nil {
		return nil, err
	}
	if d := valid.DType(); len(valid.Shape()) != 1 || d.Size != 1 {
		return nil, corrupt("_valid_rows has shape %v and type %v; must be one-dimensional, of bytes", valid.Shape(), d)
	}
	t.places = valid.Len()
	return t, t.live.read(valid)
}

// readSchema reads the schema of the table in a store.
func readSchema(s *tree.Store) (*Schema, error) {
	n, err := s.Node("/_meta")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "the store is not a table: it has no _meta")
		}
		return nil, err
	}
	f, err := n.Frame()
	if err != nil {
		return nil, err
	}
	kind, _, err := f.VLMetaValue("kind")
	if err != nil {
		return nil, err
	}
	if kind != "ctable" {
		return nil, blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrUnsupported, "_meta is of kind %v, not ctable", kind)
	}
	v, _, err := f.VLMetaValue("schema")
	if err != nil {
		return nil, err
	}
	text, ok := v.(string)
	if !ok {
		return nil, corrupt("no schema")
	}
	return ParseSchema([]byte(text))
}

// Schema returns the table's schema, which must not be changed.
func (t *Table) Schema() *Schema { return t.schema }

// Len returns the number of rows that were not deleted.
func (t *Table) Len() int64 { return t.live.total }

// Close closes the file of a table that OpenFile opened.
func (t *Table) Close() error {
	if t.close == nil {
		return nil
	}
	return t.close()
}

// Metadata returns the user's metadata: see tree.Node.
func (t *Table) Metadata() (meta.Map, error) {
	n, err := t.store.Node("/_vlmeta")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return n.Metadata()
}

// array opens an array of the table.
func (t *Table) array(key string) (*b2nd.Array, error) {
	n, err := t.store.Node(key)
	if err != nil {
		return nil, missing(err)
	}
	a, err := n.Array()
	if errors.Is(err, blosc2.ErrOption) {
		err = corrupt("%s is not an array, but %s", key, n.Kind())
	}
	return a, err
}

// missing converts the error of a missing part of a table to blosc2.ErrCorrupt.
func missing(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) && errors.Is(err, fs.ErrNotExist) {
		return corrupt("%s is missing", strings.TrimPrefix(p.Path, "/"))
	}
	return err
}

// Column opens a column by its name in the schema. An unknown name returns a
// *blosc2.OptionError. Opening it again returns the same Column.
func (t *Table) Column(name string) (*Column, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.columns[name]; c != nil {
		return c, nil
	}
	for i := range t.schema.Columns {
		if s := &t.schema.Columns[i]; s.Name == name {
			c, err := openColumn(t, s)
			if err == nil {
				t.columns[name] = c
			}
			return c, err
		}
	}
	return nil, &blosc2.OptionError{Option: "column", Value: name, Range: "in the schema"}
}

// window reads items [from, to) along the first dimension of an array.
func window(a *b2nd.Array, dst []byte, from, to int64) error {
	w := b2nd.All(a.Shape())
	w[0] = b2nd.Span{Start: from, Stop: to}
	return a.ReadWindow(dst, w)
}

var _ io.Closer = (*Table)(nil)
