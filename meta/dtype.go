package meta

import (
	"slices"
	"strconv"
	"strings"
)

// A Kind is the kind of value of an item. The letters are NumPy's.
type Kind byte

// These are the kinds of items.
const (
	Bool      Kind = 'b'
	Int       Kind = 'i'
	Uint      Kind = 'u'
	Float     Kind = 'f'
	Complex   Kind = 'c'
	Bytes     Kind = 'S' // a string of bytes, padded with NULs
	Unicode   Kind = 'U' // a string of characters of four bytes each
	DateTime  Kind = 'M' // 64-bit integers that count units of time
	TimeDelta Kind = 'm'
	Void      Kind = 'V' // bytes of unknown meaning
	Struct    Kind = 'T' // fields
	Opaque    Kind = 0   // an unknown type: see DType.Text
)

// A DType is the type of an array's items, in NumPy's sense.
type DType struct {
	Kind   Kind
	Order  byte    // '<' little-endian, '>' big-endian, '|' if the bytes have no order
	Size   int     // bytes of an item
	Unit   string  // for DateTime and TimeDelta: "ns", "25s"; empty if generic
	Fields []Field // for Struct
	Text   string  // for Opaque: the type as stored
}

// A Field is a field of a structured type.
type Field struct {
	Name   string
	Title  string // another name, usually empty
	Offset int    // from the start of the item, in bytes
	Type   DType  // type of the field, or of one of its items if Shape is not nil
	Shape  []int  // shape in C order, for a field that is an array
}

// Len returns the length of the field in bytes.
func (f Field) Len() int {
	n := f.Type.Size
	for _, d := range f.Shape {
		n *= d
	}
	return n
}

// isGap reports whether the field is a gap, as NumPy's dtype.descr and .npy
// files write one in a list of fields.
func (f Field) isGap() bool { return f.Name == "" && f.Type.Kind == Void }

// String writes the type as NumPy does: '<f8', or [('a', '<i4'), ('b', '<f8',
// (2,))], or a dict if there are gaps between fields.
func (d DType) String() string {
	switch d.Kind {
	case Opaque:
		return d.Text
	case Struct:
		if d.packed() {
			return d.list()
		}
		return d.dict()
	case Unicode:
		return d.code(d.Size / 4)
	case DateTime, TimeDelta:
		if d.Unit != "" {
			return d.code(d.Size) + "[" + d.Unit + "]"
		}
	}
	return d.code(d.Size)
}

func (d DType) code(n int) string {
	return string([]byte{d.Order, byte(d.Kind)}) + strconv.Itoa(n)
}

// packed reports whether the fields follow each other without gaps, and none
// looks like a gap.
func (d DType) packed() bool {
	end := 0
	for _, f := range d.Fields {
		if f.Offset != end || f.isGap() {
			return false
		}
		end += f.Len()
	}
	return end == d.Size
}

// list writes packed fields.
func (d DType) list() string {
	return d.each(func(f Field) string { return f.item(f.Type.quoted()) })
}

// each writes a list of a string for each field.
func (d DType) each(of func(f Field) string) string {
	items := make([]string, len(d.Fields))
	for i, f := range d.Fields {
		items[i] = of(f)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// item writes the field as an item of a list.
func (f Field) item(typ string) string {
	name := quotePython(f.Name)
	if f.Title != "" {
		name = "(" + quotePython(f.Title) + ", " + name + ")"
	}
	if f.Shape != nil {
		typ += ", " + shapeString(f.Shape)
	}
	return "(" + name + ", " + typ + ")"
}

// dict writes fields with gaps.
func (d DType) dict() string {
	s := "{'names': " + d.each(func(f Field) string { return quotePython(f.Name) })
	s += ", 'formats': " + d.each(func(f Field) string {
		if f.Shape == nil {
			return f.Type.quoted()
		}
		return "(" + f.Type.quoted() + ", " + shapeString(f.Shape) + ")"
	})
	s += ", 'offsets': " + d.each(func(f Field) string { return strconv.Itoa(f.Offset) })
	if slices.ContainsFunc(d.Fields, func(f Field) bool { return f.Title != "" }) {
		s += ", 'titles': " + d.each(func(f Field) string {
			if f.Title == "" {
				return "None"
			}
			return quotePython(f.Title)
		})
	}
	return s + ", 'itemsize': " + strconv.Itoa(d.Size) + "}"
}

// quoted returns the type as it is written within a field, in quotes if it is plain.
func (d DType) quoted() string {
	if d.Kind == Struct {
		return d.String()
	}
	return quotePython(d.String())
}

// shapeString writes a shape as a Python tuple.
func shapeString(shape []int) string {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = strconv.Itoa(n)
	}
	if len(dims) == 1 {
		return "(" + dims[0] + ",)"
	}
	return "(" + strings.Join(dims, ", ") + ")"
}
