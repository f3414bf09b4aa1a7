package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// exportTable writes the columns of a table as arrays of a group, and returns their
// number. It omits a column for which Zarr has no type, and a column with nulls unless
// it holds floats, whose nulls become NaN.
func exportTable(e *env, s *tree.Store, key, name, to string) (count int, err error) {
	t, err := tables.Open(s, key)
	if err != nil {
		return 0, err
	}
	for _, spec := range t.Schema().Columns {
		file := strings.NewReplacer("%", "%25", "/", "%2F", `\`, "%5C").Replace(spec.Name)
		c, err := t.Column(spec.Name)
		if err == nil && !filepath.IsLocal(file) {
			err = fmt.Errorf("%q is not a valid file name: %w", file, blosc2.ErrUnsupported)
		}
		if err == nil {
			err = exportColumn(e, name, c, t.Len(), filepath.Join(to, file))
		}
		if errors.Is(err, blosc2.ErrUnsupported) {
			e.note("%s: column %s left out: %s", name, spec.Name, plain(err))
		} else if err != nil {
			return count, fmt.Errorf("column %s: %w", spec.Name, err)
		} else {
			count++
		}
	}
	m, err := t.Metadata()
	if err != nil {
		return count, err
	}
	b, err := zarr.GroupV3(attributes(m))
	if err != nil {
		return count, err
	}
	return count, putFile(to, zarr.MetaV3, b)
}

// exportColumn writes the n rows of a column.
func exportColumn(e *env, name string, c *tables.Column, n int64, to string) error {
	bar, done := e.newBar(name, 0), int64(0)
	defer bar.end()
	put := func(file string, data []byte) error {
		done += int64(len(data))
		bar.add(done)
		return putFile(to, file, data)
	}
	switch c.GoType().Kind() {
	case reflect.String:
		for b, err := range tables.Values[string](c) { // check for nulls before anything is written
			if err == nil {
				err = withoutNulls(&b)
			}
			if err != nil {
				return err
			}
		}
		return zarr.WriteTexts(n, func(yield func([]string, error) bool) {
			for b, err := range tables.Values[string](c) {
				if !yield(b.Values, err) {
					return
				}
			}
		}, put)
	case reflect.Bool:
		return exportNumbers[bool](c, n, put)
	case reflect.Int8:
		return exportNumbers[int8](c, n, put)
	case reflect.Int16:
		return exportNumbers[int16](c, n, put)
	case reflect.Int32:
		return exportNumbers[int32](c, n, put)
	case reflect.Int64:
		return exportNumbers[int64](c, n, put)
	case reflect.Uint8:
		return exportNumbers[uint8](c, n, put)
	case reflect.Uint16:
		return exportNumbers[uint16](c, n, put)
	case reflect.Uint32:
		return exportNumbers[uint32](c, n, put)
	case reflect.Uint64:
		return exportNumbers[uint64](c, n, put)
	case reflect.Float32:
		return exportNumbers[float32](c, n, put)
	case reflect.Float64:
		return exportNumbers[float64](c, n, put)
	case reflect.Complex64:
		return exportNumbers[complex64](c, n, put)
	case reflect.Complex128:
		return exportNumbers[complex128](c, n, put)
	}
	return fmt.Errorf("columns of kind %s do not exist in Zarr: %w", c.Spec().Kind, blosc2.ErrUnsupported)
}

// withoutNulls returns an error if any row is null.
func withoutNulls[T any](b *tables.Batch[T]) error {
	for i := range b.Values {
		if b.IsNull(i) {
			return fmt.Errorf("row %d is null, and Zarr has no nulls: %w", b.Row+int64(i), blosc2.ErrUnsupported)
		}
	}
	return nil
}

// exportNumbers writes a column of numbers, booleans or times as an array.
func exportNumbers[T comparable](c *tables.Column, n int64, put func(string, []byte) error) error {
	d, err := b2nd.DType[T]()
	if c.Spec().Kind == tables.Timestamp {
		d, err = meta.ParseDType("<M8[" + c.Spec().Unit + "]")
	}
	if err != nil {
		return err
	}
	m, err := zarr.OfRows(d, n)
	if err != nil {
		return err
	}
	source := &columnSource[T]{c, null[T](c.Spec().Kind)}
	if source.null == nil {
		for b, err := range tables.Values[T](c) { // check for nulls before anything is written
			if err == nil {
				err = withoutNulls(&b)
			}
			if err != nil {
				return err
			}
		}
	}
	return zarr.Write(m, source, put)
}

// null returns the value for null: NaN for floats, NaT for times, and nil if there is
// no such value.
func null[T comparable](k tables.Kind) *T {
	var v T
	switch p := any(&v).(type) {
	case *float32:
		*p = float32(math.NaN())
	case *float64:
		*p = math.NaN()
	case *int64:
		if k != tables.Timestamp {
			return nil
		}
		*p = math.MinInt64
	default:
		return nil
	}
	return &v
}

// A columnSource reads the rows of a column as items of an array.
type columnSource[T comparable] struct {
	c    *tables.Column
	null *T
}

// ReadWindow implements zarr.Source.
func (s *columnSource[T]) ReadWindow(dst []byte, w b2nd.Window) error {
	for b, err := range tables.Range[T](s.c, w[0].Start, w[0].Stop) {
		if err != nil {
			return err
		}
		if s.null != nil && b.Valid != nil {
			for i := range b.Values {
				if b.IsNull(i) {
					b.Values[i] = *s.null
				}
			}
		}
		k, err := binary.Encode(dst, binary.LittleEndian, b.Values)
		if err != nil {
			return err
		}
		dst = dst[k:]
	}
	return nil
}
