package table

import (
	"errors"
	"io/fs"
	"iter"
	"reflect"
	"runtime"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Column reads a column of a table.
type Column struct {
	t       *Table
	spec    *Spec
	data    *b2nd.Array // values, codes or offsets; nil for variable length
	text    *b2nd.Array // bytes of the strings of a utf8 column
	notnull *b2nd.Array // which values are not null; nil if there is no such array
	words   []string    // words of a dictionary
	seq     *sequence   // items of a column of variable length
}

// A Batch is some consecutive rows of a column.
type Batch[T any] struct {
	Row    int64 // number of the first row
	Values []T
	Valid  []bool // which values are not null; nil if all are
}

// IsNull reports whether value i is null.
func (b *Batch[T]) IsNull(i int) bool { return b.Valid != nil && !b.Valid[i] }

func openColumn(t *Table, s *Spec) (*Column, error) {
	c, key := &Column{t: t, spec: s}, columnPath(s.Name)
	var err error
	if varlen[s.Kind] {
		c.seq, err = openSequence(t, key, s.Kind)
		return c, err
	}
	if c.data, err = t.array(key); err != nil {
		return nil, err
	}
	dims := 1
	if s.Kind == NDArray {
		dims += len(s.ItemShape)
	}
	if err := c.checkShape(dims); err != nil {
		return nil, err
	}
	switch s.Kind {
	case UTF8:
		if c.text, err = t.array(key + ".utf8"); err != nil {
			return nil, err
		}
		if len(c.text.Shape()) != 1 || c.text.ItemSize() != 1 {
			return nil, corrupt("column %q: text has shape %v; must be one-dimensional, of bytes", s.Name, c.text.Shape())
		}
	case Dictionary:
		if c.words, err = readWords(t, key+"_dict"); err != nil {
			return nil, err
		}
	}
	if s.Mask {
		if c.notnull, err = t.optional(key + ".notnull"); err != nil {
			return nil, err
		}
		if n := c.notnull; n != nil && (len(n.Shape()) != 1 || n.ItemSize() != 1) {
			return nil, corrupt("column %q: validity has shape %v; must be one-dimensional, of bytes", s.Name, n.Shape())
		}
	}
	return c, nil
}

// checkShape returns an error for an array that cannot hold the column.
func (c *Column) checkShape(dims int) error {
	shape := c.data.Shape()
	if len(shape) != dims {
		return corrupt("column %q of kind %s has shape %v; must have %d dimensions", c.spec.Name, c.spec.Kind, shape, dims)
	}
	for i, n := range shape[1:] {
		if n != c.spec.ItemShape[i] {
			return corrupt("column %q has items of shape %v, but the schema says %v", c.spec.Name, shape[1:], c.spec.ItemShape)
		}
	}
	if want, fixed := dtypes[c.spec.Kind]; fixed {
		if got := c.data.DType(); got.String() != want && got.String() != "'"+want+"'" && c.spec.Kind != Bool {
			return corrupt("column %q of kind %s has items of type %s; must be %s", c.spec.Name, c.spec.Kind, got, want)
		}
	}
	return nil
}

// optional opens an array that may be missing.
func (t *Table) optional(key string) (*b2nd.Array, error) {
	if _, err := t.store.Node(key); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return t.array(key)
}

// Spec returns the column's entry in the schema, which must not be changed.
func (c *Column) Spec() *Spec { return c.spec }

// ItemType returns the type of the items in each row of an ndarray column.
func (c *Column) ItemType() meta.DType {
	if c.data == nil {
		return meta.DType{}
	}
	return c.data.DType()
}

// Words returns the words of a dictionary column, indexed by code; nil for
// other columns. They must not be changed.
func (c *Column) Words() []string { return c.words }

// GoType returns the type T for Values: the matching Go type for numbers and
// booleans, int64 for timestamps, string for all kinds of text, []byte for
// bytes and for the items of an ndarray in C order, and any for lists, structs
// and objects, as returned by tree.DecodeValue.
func (c *Column) GoType() reflect.Type {
	switch c.spec.Kind {
	case Timestamp:
		return reflect.TypeFor[int64]()
	case String, UTF8, Dictionary, VLString:
		return reflect.TypeFor[string]()
	case Bytes, VLBytes, NDArray:
		return reflect.TypeFor[[]byte]()
	case Bool:
		return reflect.TypeFor[bool]()
	}
	if k, ok := numberKinds[c.spec.Kind]; ok {
		return k.goType
	}
	return reflect.TypeFor[any]()
}

// Values yields all rows of a column, in batches of a size that suits their
// storage. T must be the column's GoType; any other returns a
// *blosc2.OptionError. The memory of a Batch is overwritten by the next one,
// except for strings. An error ends the sequence. Values of null rows are
// undefined.
func Values[T any](c *Column) iter.Seq2[Batch[T], error] {
	return Range[T](c, 0, c.t.Len())
}

// Range is like Values, for the rows in [from, to). It reads only the chunks that
// hold them.
func Range[T any](c *Column, from, to int64) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		if want := c.GoType(); want != reflect.TypeFor[T]() {
			yield(Batch[T]{}, &blosc2.OptionError{Option: "type of column " + c.spec.Name, Value: reflect.TypeFor[T](), Range: want.String()})
			return
		}
		var buf buffers
		for b, err := range c.batches(from, to, c.step(), &buf) {
			if err != nil {
				yield(Batch[T]{}, err)
				return
			}
			values, _ := b.values.([]T)
			if !yield(Batch[T]{b.row, values, b.valid}, nil) {
				return
			}
		}
	}
}

// A batch is a Batch of a type that is known only at run time.
type batch struct {
	row    int64
	values any // slice of type GoType
	valid  []bool
}

// batches yields rows in steps of places.
func (c *Column) batches(from, to, step int64, buf *buffers) iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		buf.rows = min(step, to-from)
		for s, err := range c.t.spans(from, to, step) {
			if err != nil {
				yield(batch{}, err)
				return
			}
			b, err := c.load(s, buf)
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// A span is a range of places, with the number of its first row.
type span struct{ row, from, to int64 }

// spans divides rows into spans of at most step places, which end at multiples of step
// unless one span is enough.
func (t *Table) spans(from, to, step int64) iter.Seq2[span, error] {
	return func(yield func(span, error) bool) {
		if from < 0 || to < from || to > t.Len() {
			yield(span{}, &blosc2.OptionError{Option: "rows", Value: [2]int64{from, to}, Range: "within the table"})
			return
		}
		if from == to {
			return
		}
		end := t.live.place(to-1) + 1
		for row, at := from, t.live.place(from); at < end; {
			stop := end
			if end-at > step {
				stop = (at/step + 1) * step
			}
			if n := t.live.count(at, stop); n > 0 {
				if !yield(span{row, at, stop}, nil) {
					return
				}
				row += n
			}
			at = stop
		}
	}
}

const (
	stepLeast = 8 << 20  // bytes of values of fixed width, at least
	stepMost  = 64 << 20 // bytes in several chunks, at most
	stepRows  = 1 << 16  // values of a utf8 column or of variable length
)

// step returns how many places to read at a time: as many whole chunks as are
// decompressed at a time. With fewer, workers would share the blocks of a chunk, and
// checking its digest would read it again.
func (c *Column) step() int64 {
	if c.seq != nil || c.text != nil {
		return stepRows
	}
	rows := max(c.data.ChunkShape()[0], 1)
	size := int64(c.data.ItemSize())
	for _, n := range c.data.Shape()[1:] {
		size *= max(n, 1)
	}
	chunk := max(rows*size, 1)
	chunks := min(int64(runtime.GOMAXPROCS(0)), stepMost/chunk)
	return rows * max(1, chunks, stepLeast/chunk)
}
