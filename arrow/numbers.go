package arrow

import (
	apache "github.com/apache/arrow-go/v18/arrow"

	"github.com/seed03b80dae/blosc2/table"
)

// A numberType holds the functions that depend on the type of a number.
type numberType struct {
	array  func(t apache.DataType, c *table.Column, from, to int64) (apache.Array, error) // makes an Arrow array of rows of a column
	values func(a apache.Array) any                                                       // returns the items of an Arrow array as a slice
	value  func(a apache.Array, i int) any
}

// numbersOf returns the type of the numbers T.
func numbersOf[T apache.FixedWidthType]() numberType {
	values := func(a apache.Array) []T {
		d := a.Data()
		if a.Len() == 0 {
			return nil
		}
		return apache.GetData[T](d.Buffers()[1].Bytes())[d.Offset():][:a.Len()]
	}
	return numberType{
		array:  fixed[T],
		values: func(a apache.Array) any { return values(a) },
		value:  func(a apache.Array, i int) any { return values(a)[i] },
	}
}

var numberTypes = map[apache.Type]numberType{
	apache.INT8: numbersOf[int8](), apache.INT16: numbersOf[int16](), apache.INT32: numbersOf[int32](), apache.INT64: numbersOf[int64](),
	apache.UINT8: numbersOf[uint8](), apache.UINT16: numbersOf[uint16](), apache.UINT32: numbersOf[uint32](), apache.UINT64: numbersOf[uint64](),
	apache.FLOAT32: numbersOf[float32](), apache.FLOAT64: numbersOf[float64](),
}
