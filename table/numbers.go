package table

import (
	"reflect"
	"strconv"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// A numberKind holds the functions that depend on the kind of number.
type numberKind struct {
	goType reflect.Type
	load   func(c *Column, s span, buf *buffers) (batch, error)
	append func(w *columnWriter, values any) error
	nulls  func(w *columnWriter, c Cells) (any, error) // see columnWriter.withNulls
	csv    func(c *csvCells)                           // nil if CSV has no such numbers
}

// numbersOf returns the numberKind of T. parse parses such numbers.
func numbersOf[T comparable](parse func(text string) (T, error)) numberKind {
	k := numberKind{goType: reflect.TypeFor[T](), load: fixed[T], append: func(w *columnWriter, values any) error {
		return numbers(w, values.([]T))
	}}
	k.nulls = func(w *columnWriter, c Cells) (any, error) {
		return replaceNulls(w, c.Values.([]T), c.Valid, func() (T, bool) { return numberAs[T](w.spec.Null) })
	}
	if parse != nil {
		k.csv = func(c *csvCells) { collect(c, parse) }
	}
	return k
}

var numberKinds = map[Kind]numberKind{
	Int8: numbersOf(integer[int8]), Int16: numbersOf(integer[int16]), Int32: numbersOf(integer[int32]), Int64: numbersOf(integer[int64]),
	Uint8: numbersOf(unsigned[uint8]), Uint16: numbersOf(unsigned[uint16]), Uint32: numbersOf(unsigned[uint32]), Uint64: numbersOf(unsigned[uint64]),
	Float32: numbersOf(parseFloat32), Float64: numbersOf(parseFloat),
	Complex64: numbersOf[complex64](nil), Complex128: numbersOf[complex128](nil),
}

func integer[T int8 | int16 | int32 | int64](s string) (T, error) {
	n, err := parseInt(s, reflect.TypeFor[T]().Bits())
	return T(n), err
}

func unsigned[T uint8 | uint16 | uint32 | uint64](s string) (T, error) {
	n, err := strconv.ParseUint(s, 10, reflect.TypeFor[T]().Bits())
	return T(n), err
}

// numbers writes values of fixed width.
func numbers[T any](w *columnWriter, v []T) error {
	w.rows += int64(len(v))
	w.data.total += int64(len(v)) * w.data.row
	_, err := b2nd.WriteSlice(w.data.w, v)
	return err
}

// fixed reads numbers.
func fixed[T comparable](c *Column, s span, buf *buffers) (batch, error) {
	v := room[T](buf, s.to-s.from)
	if err := b2nd.ReadInto(c.data, v, b2nd.Window{{Start: s.from, Stop: s.to}}); err != nil {
		return batch{}, err
	}
	var nulls func() []bool
	if null, ok := numberAs[T](c.spec.Null); ok {
		nulls = func() []bool { return differ(buf, v, null) }
	}
	return finish(c, s, buf, v, nulls)
}

// numberAs converts the null value of the schema, if T can hold it.
func numberAs[T any](v any) (null T, ok bool) {
	to := reflect.ValueOf(&null).Elem()
	i, isInt := v.(int64)
	u, isUint := v.(uint64)
	if isInt && i >= 0 {
		u, isUint = uint64(i), true
	}
	f, isFloat := asFloat(v)
	z, isComplex := v.(complex128)
	if !isComplex {
		z, isComplex = complex(f, 0), isFloat
	}
	switch {
	case to.CanInt() && isInt && !to.OverflowInt(i):
		to.SetInt(i)
	case to.CanUint() && isUint && !to.OverflowUint(u):
		to.SetUint(u)
	case to.CanFloat() && isFloat:
		to.SetFloat(f)
	case to.CanComplex() && isComplex:
		to.SetComplex(z)
	default:
		return null, false
	}
	return null, true
}
