package arrow

import (
	"fmt"
	"io"
	"strings"

	apache "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// byDType holds the Arrow type for each dtype that Arrow lays out in the same way.
var byDType = map[string]apache.DataType{
	"|i1": apache.PrimitiveTypes.Int8, "<i2": apache.PrimitiveTypes.Int16, "<i4": apache.PrimitiveTypes.Int32, "<i8": apache.PrimitiveTypes.Int64,
	"|u1": apache.PrimitiveTypes.Uint8, "<u2": apache.PrimitiveTypes.Uint16, "<u4": apache.PrimitiveTypes.Uint32, "<u8": apache.PrimitiveTypes.Uint64,
	"<f4": apache.PrimitiveTypes.Float32, "<f8": apache.PrimitiveTypes.Float64,
}

// FromArray returns the items of a window of an array of one dimension, all of it
// if w is nil, as an Arrow array. They are decoded directly into its memory. Arrays
// of more dimensions, and of other types than little-endian integers and
// floating-point numbers, return blosc2.ErrUnsupported.
func FromArray(a *b2nd.Array, w b2nd.Window) (apache.Array, error) {
	dtype := strings.Trim(a.DType().String(), "'")
	t, ok := byDType[dtype]
	if len(a.Shape()) != 1 || !ok {
		return nil, fmt.Errorf("an array of shape %v and type %s: %w", a.Shape(), dtype, blosc2.ErrUnsupported)
	}
	if w == nil {
		w = b2nd.All(a.Shape())
	}
	if len(w) != 1 {
		return nil, &blosc2.OptionError{Option: "dimensions of a window", Value: len(w), Range: "1"}
	}
	n := w[0].Len()
	if n < 0 || n > a.Len() {
		return nil, &blosc2.OptionError{Option: "window", Value: w, Range: "within the array"}
	}
	raw := make([]byte, n*int64(a.ItemSize()))
	if err := a.ReadWindow(raw, w); err != nil {
		return nil, err
	}
	d := array.NewData(t, int(n), []*memory.Buffer{nil, memory.NewBufferBytes(raw)}, nil, 0, 0)
	defer d.Release()
	return array.MakeFromData(d), nil
}

// WriteArray writes an Arrow array of integers or floating-point numbers without
// nulls to w, as an array of one dimension: see b2nd.NewWriter. Any other returns
// blosc2.ErrUnsupported.
func WriteArray(w io.Writer, a apache.Array, opts ...stream.WriterOption) error {
	for dtype, t := range byDType {
		if !apache.TypeEqual(t, a.DataType()) || a.NullN() > 0 {
			continue
		}
		out, err := b2nd.NewWriter(w, b2nd.Spec{Shape: []int64{int64(a.Len())}, DType: dtype}, opts...)
		if err != nil {
			return err
		}
		defer out.Abort(nil)
		if a.Len() > 0 {
			size := t.(apache.FixedWidthDataType).Bytes()
			raw := a.Data().Buffers()[1].Bytes()[a.Data().Offset()*size:][:a.Len()*size]
			if _, err := out.Write(raw); err != nil {
				return err
			}
		}
		return out.Close()
	}
	return fmt.Errorf("an array of %s with %d nulls: %w", a.DataType(), a.NullN(), blosc2.ErrUnsupported)
}
