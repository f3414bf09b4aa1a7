package arrow

import (
	"bytes"
	"fmt"
	"strings"

	apache "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/table"
)

// Append adds all records of r to b, which must have the columns of Specs for their
// schema, and returns the number of rows. It does not release r. Numbers are
// compressed from Arrow's memory, without a copy.
func Append(b *table.Builder, r array.RecordReader) (rows int64, err error) {
	for r.Next() {
		batch := r.RecordBatch()
		cells := make([]table.Cells, batch.NumCols())
		for i, a := range batch.Columns() {
			if cells[i], err = cellsOf(a); err != nil {
				return rows, fmt.Errorf("column %q: %w", batch.ColumnName(i), err)
			}
		}
		if err := b.Append(cells...); err != nil {
			return rows, err
		}
		rows += batch.NumRows()
	}
	return rows, r.Err()
}

const secondsOfDay = 24 * 60 * 60

// cellsOf returns the values of an array.
func cellsOf(a apache.Array) (table.Cells, error) {
	c := table.Cells{Valid: validity(a)}
	if n, ok := numberTypes[a.DataType().ID()]; ok {
		c.Values = n.values(a)
		return c, nil
	}
	switch a := a.(type) {
	case *array.Timestamp:
		v := make([]int64, a.Len())
		for i := range v {
			v[i] = int64(a.Value(i))
		}
		c.Values = v
	case *array.Date32:
		c.Values = collect(a.Len(), func(i int) int64 { return int64(a.Value(i)) * secondsOfDay })
	case *array.Boolean:
		c.Values = collect(a.Len(), a.Value)
	case *array.LargeString:
		c.Values = collect(a.Len(), func(i int) string { return strings.Clone(a.Value(i)) })
	case *array.LargeBinary:
		c.Values = collect(a.Len(), a.Value)
	case *array.FixedSizeBinary:
		c.Values = collect(a.Len(), a.Value)
	case *array.String: // the strings' memory may be freed with the record
		c.Values = collect(a.Len(), func(i int) string { return strings.Clone(a.Value(i)) })
	case *array.Binary:
		c.Values = collect(a.Len(), a.Value)
	case *array.Dictionary:
		words, ok := a.Dictionary().(interface{ Value(i int) string })
		if !ok {
			return c, fmt.Errorf("dictionary of %s: %w", a.Dictionary().DataType(), blosc2.ErrUnsupported)
		}
		c.Values = collect(a.Len(), func(i int) string {
			if a.IsNull(i) {
				return ""
			}
			return strings.Clone(words.Value(a.GetValueIndex(i)))
		})
	case array.ListLike:
		v := make([]any, a.Len())
		for i := range v {
			var err error
			if v[i], err = listValue(a, i); err != nil {
				return c, err
			}
		}
		c.Values = v
	default:
		return c, fmt.Errorf("arrays of %s: %w", a.DataType(), blosc2.ErrUnsupported)
	}
	return c, nil
}

func collect[T any](n int, value func(int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = value(i)
	}
	return out
}

// validity returns which items are not null, or nil if all are.
func validity(a apache.Array) []bool {
	if a.NullN() == 0 {
		return nil
	}
	return collect(a.Len(), a.IsValid)
}

// listValue returns a row of a list array: a []any, or nil for null.
func listValue(a array.ListLike, i int) (any, error) {
	if a.IsNull(i) {
		return nil, nil
	}
	from, to := a.ValueOffsets(i)
	out := []any{}
	for k := int(from); k < int(to); k++ {
		v, err := scalar(a.ListValues(), k)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// scalar returns an item of an array.
func scalar(a apache.Array, i int) (any, error) {
	if a.IsNull(i) {
		return nil, nil
	}
	if n, ok := numberTypes[a.DataType().ID()]; ok {
		return n.value(a, i), nil
	}
	switch a := a.(type) {
	case array.ListLike:
		return listValue(a, i)
	case *array.String:
		return strings.Clone(a.Value(i)), nil
	case *array.LargeString:
		return strings.Clone(a.Value(i)), nil
	case *array.Binary:
		return bytes.Clone(a.Value(i)), nil
	case *array.LargeBinary:
		return bytes.Clone(a.Value(i)), nil
	case *array.FixedSizeBinary:
		return bytes.Clone(a.Value(i)), nil
	case *array.Boolean:
		return a.Value(i), nil
	}
	return nil, fmt.Errorf("lists of %s: %w", a.DataType(), blosc2.ErrUnsupported)
}
