package arrow

import (
	"fmt"
	"iter"

	apache "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/table"
)

// batchRows is the maximum number of rows of a record.
const batchRows = 1 << 16

// NewReader returns a reader of a table's records, with the named columns or all of
// them. Values that are copied are allocated from mem. A record remains valid after
// the next one is read. The reader is for one goroutine at a time.
func NewReader(t *table.Table, mem memory.Allocator, columns ...string) (array.RecordReader, error) {
	if len(columns) == 0 {
		for _, s := range t.Schema().Columns {
			columns = append(columns, s.Name)
		}
	}
	var fields []apache.Field
	var sources []*table.Column
	for _, name := range columns {
		c, err := t.Column(name)
		if err != nil {
			return nil, err
		}
		f, err := Field(c.Spec())
		if err != nil {
			return nil, err
		}
		fields, sources = append(fields, f), append(sources, c)
	}
	schema := apache.NewSchema(fields, nil)
	return array.ReaderFromIter(schema, records(t, mem, schema, sources)), nil
}

// records yields the records.
func records(t *table.Table, mem memory.Allocator, schema *apache.Schema, columns []*table.Column) iter.Seq2[apache.RecordBatch, error] {
	return func(yield func(apache.RecordBatch, error) bool) {
		for from := int64(0); from < t.Len(); from += batchRows {
			to := min(from+batchRows, t.Len())
			r, err := record(mem, schema, columns, from, to)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// record makes one record.
func record(mem memory.Allocator, schema *apache.Schema, columns []*table.Column, from, to int64) (apache.RecordBatch, error) {
	arrays := make([]apache.Array, 0, len(columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i, c := range columns {
		a, err := column(mem, schema.Field(i).Type, c, from, to)
		if err != nil {
			return nil, err
		}
		arrays = append(arrays, a)
	}
	return array.NewRecordBatch(schema, arrays, to-from), nil
}

// column makes an array of some rows of a column.
func column(mem memory.Allocator, t apache.DataType, c *table.Column, from, to int64) (apache.Array, error) {
	if n, ok := numberTypes[t.ID()]; ok {
		return n.array(t, c, from, to)
	}
	if c.Spec().Kind == table.Timestamp {
		return fixed[int64](t, c, from, to)
	}
	b := array.NewBuilder(mem, t)
	defer b.Release()
	b.Reserve(int(to - from))
	var err error
	switch b := b.(type) {
	case *array.BooleanBuilder:
		err = build(c, from, to, func(v []bool, ok []bool) error { b.AppendValues(v, ok); return nil })
	case *array.StringBuilder:
		err = build(c, from, to, func(v []string, ok []bool) error { b.AppendValues(v, ok); return nil })
	case *array.BinaryBuilder:
		err = build(c, from, to, func(v [][]byte, ok []bool) error { b.AppendValues(v, ok); return nil })
	case *array.BinaryDictionaryBuilder:
		err = build(c, from, to, func(v []string, ok []bool) error {
			for i, s := range v {
				if ok != nil && !ok[i] {
					b.AppendNull()
				} else if err := b.AppendString(s); err != nil {
					return err
				}
			}
			return nil
		})
	case *array.ListBuilder:
		err = build(c, from, to, func(v []any, _ []bool) error {
			for _, row := range v {
				if err := appendValue(b, row); err != nil {
					return err
				}
			}
			return nil
		})
	default:
		err = fmt.Errorf("column %q: %w", c.Spec().Name, blosc2.ErrUnsupported)
	}
	if err != nil {
		return nil, err
	}
	return b.NewArray(), nil
}

// build passes the values of some rows to add.
func build[T any](c *table.Column, from, to int64, add func(v []T, valid []bool) error) error {
	for b, err := range table.Range[T](c, from, to) {
		if err == nil {
			err = add(b.Values, b.Valid)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fixed makes an array of numbers. It reuses the decoded memory if all of them
// are in one batch.
func fixed[T apache.FixedWidthType](t apache.DataType, c *table.Column, from, to int64) (apache.Array, error) {
	var values []T
	var valid []bool
	for b, err := range table.Range[T](c, from, to) {
		if err != nil {
			return nil, err
		}
		if b.Valid != nil && valid == nil {
			valid = make([]bool, len(values), to-from)
			for i := range valid {
				valid[i] = true
			}
		}
		if valid != nil {
			for i := range b.Values {
				valid = append(valid, !b.IsNull(i))
			}
		}
		if int64(len(b.Values)) == to-from {
			values = b.Values // the batch holds all values, so no other batch overwrites them
		} else {
			values = append(values, b.Values...)
		}
	}
	var bits *memory.Buffer
	nulls := 0
	if valid != nil {
		bitmap := make([]byte, (len(valid)+7)/8)
		for i, ok := range valid {
			if ok {
				bitmap[i/8] |= 1 << (i % 8)
			} else {
				nulls++
			}
		}
		bits = memory.NewBufferBytes(bitmap)
	}
	d := array.NewData(t, len(values), []*memory.Buffer{bits, memory.NewBufferBytes(apache.GetBytes(values))}, nil, nulls, 0)
	defer d.Release()
	return array.MakeFromData(d), nil
}

// appendValue adds a value of a list.
func appendValue(b array.Builder, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	if l, ok := b.(*array.ListBuilder); ok {
		items, ok := v.([]any)
		if !ok {
			return fmt.Errorf("a list holds a value of type %T: %w", v, blosc2.ErrCorrupt)
		}
		l.Append(true)
		for _, item := range items {
			if err := appendValue(l.ValueBuilder(), item); err != nil {
				return err
			}
		}
		return nil
	}
	switch v := v.(type) {
	case string:
		if s, ok := b.(*array.StringBuilder); ok {
			s.Append(v)
			return nil
		}
	case []byte:
		if s, ok := b.(*array.BinaryBuilder); ok {
			s.Append(v)
			return nil
		}
	}
	if err := b.AppendValueFromString(fmt.Sprint(v)); err != nil { // a number or bool, whose range it checks
		return fmt.Errorf("a list of %s holds %v: %w", b.Type(), v, blosc2.ErrCorrupt)
	}
	return nil
}
