package table

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// AppendFile adds rows to the table at key in the named store, a zip or a
// folder; key is "/" for a store that is one table. fill adds the rows to a
// Builder, whose Len counts them. The columns get new members, in which full
// chunks are unchanged; everything else stays in place: see tree.UpdateFile.
// Deleted rows stay deleted, and indexes are removed. It holds the store's
// lock.
//
// A killed process leaves the table with all of the new rows or none: in a
// folder the array of valid rows is replaced last. A table with a column that a
// Builder does not support, or with stored columns that are computed from
// others, results in blosc2.ErrUnsupported.
func AppendFile(path, key string, fill func(*Builder) error) (err error) {
	unlock, err := frame.LockFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	s, err := tree.OpenFile(path)
	if err != nil {
		return err
	}
	defer s.Close()
	t, err := Open(s, key)
	if err != nil {
		return err
	}
	b, err := t.appender()
	if err != nil {
		return err
	}
	defer b.Close()
	if err := fill(b); err != nil || b.rows == 0 {
		return err
	}
	items, remove, err := b.changes(t, strings.TrimSuffix(key, "/"))
	if err != nil {
		return err
	}
	return tree.UpdateLocked(path, tree.Contents{Items: items}, remove...)
}

// appender returns a Builder that continues all columns of a table.
func (t *Table) appender() (_ *Builder, err error) {
	if len(t.schema.stored) > 0 {
		return nil, blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrUnsupported, "appending to a table with stored columns that are computed from others: %q", t.schema.stored)
	}
	b := &Builder{base: t.places}
	for _, s := range t.schema.Columns {
		if s.Kind == Object || s.Kind == Struct {
			return nil, b.fail(blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrUnsupported, "appending to a table with column %q of kind %s", s.Name, s.Kind))
		}
		s.Nullable = s.Nullable || s.Null != nil || s.Mask
		c, err := t.Column(s.Name)
		if err != nil {
			return nil, b.fail(err)
		}
		w, err := resumeColumn(t, c, &s)
		if err != nil {
			return nil, b.fail(err)
		}
		b.specs = append(b.specs, s)
		b.columns = append(b.columns, w)
	}
	return b, nil
}

// resumeColumn returns a columnWriter that continues a column.
func resumeColumn(t *Table, c *Column, s *Spec) (_ *columnWriter, err error) {
	w := &columnWriter{spec: s, rows: t.places}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	key := columnPath(s.Name)
	if c.seq != nil {
		if w.seq, err = newBatchWriter(s); err == nil {
			err = w.seq.resume(c, t.places)
		}
		return w, err
	}
	places := t.places
	var pad []byte
	if c.text != nil {
		var last [8]byte
		n := min(places, c.data.Len()-1)
		if n < 0 {
			return w, corrupt("column %q has no offsets", s.Name)
		}
		if err := window(c.data, last[:], n, n+1); err != nil {
			return w, err
		}
		w.end = int64(binary.LittleEndian.Uint64(last[:]))
		if w.end < 0 || w.end > c.text.Len() {
			return w, corrupt("column %q: offsets end at %d, but the text has %d bytes", s.Name, w.end, c.text.Len())
		}
		if w.text, err = resumeArray(t, c.text, key+".utf8", w.end, nil); err != nil {
			return w, err
		}
		places, pad = places+1, last[:]
	}
	if w.data, err = resumeArray(t, c.data, key, places, pad); err != nil {
		return w, err
	}
	if c.notnull != nil {
		if w.notnull, err = resumeArray(t, c.notnull, key+".notnull", t.places, nil); err != nil {
			return w, err
		}
	}
	if s.Kind == Dictionary {
		w.words = make(map[string]int32, len(c.words))
		for i, word := range c.words {
			w.words[word] = int32(i)
			w.list = append(w.list, word)
		}
		w.stored = len(c.words)
	}
	return w, nil
}

// resumeArray returns an arrayWriter that continues a after its first rows, of which
// there are the given number. If a has fewer rows, rows of pad, or of zeros, replace
// the missing ones. If a has exactly that many, its chunks are copied unchanged.
func resumeArray(t *Table, a *b2nd.Array, key string, rows int64, pad []byte) (*arrayWriter, error) {
	row := int64(a.ItemSize())
	for _, n := range a.Shape()[1:] {
		row *= n
	}
	if a.Len() > 0 && a.Shape()[0] == rows {
		b, err := fs.ReadFile(t.store, strings.TrimPrefix(key, "/"))
		if err != nil {
			return nil, err
		}
		file := fsio.NewMemory(b)
		w, err := b2nd.Append(file, int64(len(b)))
		if err == nil {
			return &arrayWriter{file: file, w: w, row: row}, nil
		}
		if !errors.Is(err, blosc2.ErrUnsupported) {
			return nil, err
		}
	}
	w, err := newArrayWriter(a.DType().String(), a.Shape()[1:]...)
	if err != nil {
		return nil, err
	}
	have := min(rows, a.Shape()[0])
	step := max(1, stepLeast/max(row, 1))
	for from := int64(0); from < rows && err == nil; from += step {
		to := min(from+step, rows)
		b := make([]byte, (to-from)*row)
		if n := min(to, have) - from; n > 0 {
			err = window(a, b[:n*row], from, from+n)
		}
		for at := max(have, from); at < to && pad != nil; at++ {
			copy(b[(at-from)*row:], pad)
		}
		if err == nil {
			err = w.write(b)
		}
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// resume appends the items of a column at all of its places.
func (w *batchWriter) resume(c *Column, places int64) error {
	for at := range places {
		var v any
		var err error
		if at < c.seq.len() {
			v, err = c.seq.item(at)
		} else if zero, ok := map[Kind]any{VLString: "", VLBytes: []byte{}}[c.spec.Kind]; ok && !c.spec.Nullable {
			v = zero // the place holds no row
		}
		if err == nil {
			err = w.add(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withNulls returns the values of c with the schema's null value where they are
// null.
func (w *columnWriter) withNulls(c Cells) (any, error) {
	switch v := c.Values.(type) {
	case []string:
		return replaceNulls(w, v, c.Valid, func() (s string, ok bool) { s, ok = w.spec.Null.(string); return })
	case [][]byte:
		return replaceNulls(w, v, c.Valid, func() (b []byte, ok bool) {
			b, ok = w.spec.Null.([]byte)
			return b, ok && w.spec.Kind == Bytes
		})
	}
	if w.spec.Kind == Timestamp {
		return replaceNulls(w, c.Values.([]int64), c.Valid, func() (int64, bool) { return numberAs[int64](w.spec.Null) })
	}
	if k, ok := numberKinds[w.spec.Kind]; ok {
		return k.nulls(w, c)
	}
	if slices.Contains(c.Valid, false) {
		return nil, w.refuse("null", fmt.Sprintf("not null: null values of kind %s cannot be written", w.spec.Kind))
	}
	return c.Values, nil
}

// replaceNulls replaces values that are not valid with null values.
func replaceNulls[T any](w *columnWriter, v []T, valid []bool, null func() (T, bool)) ([]T, error) {
	if !slices.Contains(valid, false) {
		return v, nil
	}
	value, ok := null()
	if !ok {
		return nil, w.refuse("null", "not null, because the null value of the schema is not of that kind")
	}
	v = slices.Clone(v)
	for i, ok := range valid {
		if !ok {
			v[i] = value
		}
	}
	return v, nil
}

// changes ends the Builder and returns the new members of the table and the keys to
// remove. The last member makes the new rows visible.
func (b *Builder) changes(t *Table, prefix string) (items []tree.Item, remove []string, err error) {
	if err := b.ready(); err != nil {
		return nil, nil, err
	}
	b.done = true
	add := func(it tree.Item) {
		it.Key = prefix + it.Key
		items = append(items, it)
		remove = append(remove, it.Key)
	}
	for i, w := range b.columns {
		if err := w.finish(columnPath(b.specs[i].Name), b.base+b.rows, add); err != nil {
			return nil, nil, err
		}
	}
	m, err := t.newMeta(b.rows)
	if err != nil {
		return nil, nil, err
	}
	add(tree.Bytes("/_meta", m))
	valid, err := t.array("/_valid_rows")
	if err != nil {
		return nil, nil, err
	}
	if b.valid, err = resumeArray(t, valid, "/_valid_rows", t.places, nil); err != nil {
		return nil, nil, err
	}
	if err := b.valid.writeOnes(b.rows); err != nil {
		return nil, nil, err
	}
	f, err := b.valid.finish("/_valid_rows")
	if err != nil {
		return nil, nil, err
	}
	add(f)
	return items, append(remove, prefix+"/_indexes"), nil
}

// newMeta returns _meta of a table with more rows and without indexes.
func (t *Table) newMeta(more int64) ([]byte, error) {
	n, err := t.store.Node("/_meta")
	if err != nil {
		return nil, err
	}
	m, err := n.Metadata()
	if err != nil {
		return nil, err
	}
	m = slices.DeleteFunc(m, func(p meta.Pair) bool { return p.Key == "index_catalog" })
	for i, p := range m {
		switch v := p.Value.(type) {
		case string:
			if p.Key == "schema" {
				text, err := setNumber([]byte(v), "n_rows", fmt.Sprint(t.Len()+more))
				if err == nil {
					text, err = setNumber(text, "summary_indexes_built", "false")
				}
				if err != nil {
					return nil, err
				}
				m[i].Value = string(text)
			}
		case int64:
			if p.Key == "value_epoch" || p.Key == "visibility_epoch" {
				m[i].Value = v + 1
			}
		}
	}
	return tree.EmptyFrame(m)
}

// setNumber replaces a value of a JSON object, if it exists. Everything else is
// unchanged.
func setNumber(text []byte, name, value string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(strictJSON(text, func(name string) string { return fmt.Sprintf("%-*d", len(name), 0) })))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return nil, corrupt("schema: %v", err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, corrupt("schema: %v", err)
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil && err != io.EOF {
			return nil, corrupt("schema: %v", err)
		}
		if end := d.InputOffset(); key == name {
			return slices.Concat(text[:end-int64(len(v))], []byte(value), text[end:]), nil
		}
	}
	return text, nil
}
