package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

const (
	magic     = "\x93NUMPY"
	align     = 64      // the data begin at a multiple of this
	maxHeader = 1 << 20 // bytes of text that a header may have here
	maxDim    = 64      // what NumPy itself allows

	// Unknown as the first dimension of a Header says that it is how much is
	// written until Close.
	Unknown = -1
)

// A Header says which array a file holds.
type Header struct {
	DType   meta.DType
	Shape   []int64 // items along each dimension; none for a scalar
	Fortran bool    // the first index changes fastest in the file
}

// Size gives the bytes of all items. The dtype must have a size, and the
// product must not overflow.
func (h *Header) Size() (int64, error) {
	if h.DType.Size < 1 {
		return 0, corrupt("items of %d bytes", h.DType.Size)
	}
	n, empty := int64(h.DType.Size), false
	for _, d := range h.Shape {
		if d < 0 {
			return 0, corrupt("a dimension of %d", d)
		}
		empty = empty || d == 0
		if d = max(d, 1); n > (1<<63-1)/d {
			return 0, corrupt("shape %v has too many items", h.Shape)
		}
		n *= d
	}
	if empty {
		return 0, nil
	}
	return n, nil
}

// ReadHeader reads the header of a .npy file and leaves r at the first item.
// Errors are *blosc2.FormatError of blosc2.ErrCorrupt or blosc2.ErrUnsupported
// (items that are Python objects, versions that nobody knows), or
// io.ErrUnexpectedEOF.
func ReadHeader(r io.Reader) (*Header, error) {
	var head [12]byte
	if err := full(r, head[:8]); err != nil {
		return nil, err
	}
	if string(head[:6]) != magic {
		return nil, corrupt("no .npy file")
	}
	width := 4
	switch head[6] {
	case 1:
		width = 2
	case 2, 3:
	default:
		return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, ".npy version %d.%d", head[6], head[7])
	}
	if err := full(r, head[8:8+width]); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(head[8:])) // the bytes behind a width of 2 are 0
	if n > maxHeader {
		return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge, "%d bytes, limit %d", n, maxHeader)
	}
	text := make([]byte, n)
	if err := full(r, text); err != nil {
		return nil, err
	}
	return parseHeader(decode(text, head[6]))
}

// decode is the inverse of encode.
func decode(text []byte, version byte) string {
	if version == 3 {
		return string(text)
	}
	runes := make([]rune, len(text))
	for i, c := range text {
		runes[i] = rune(c)
	}
	return string(runes)
}

// full reads all of b.
func full(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, ".npy: "+format, args...)
}

// Append appends the header as NumPy writes it. An Unknown first dimension is
// written as 0, and any header leaves room for its first dimension to grow in
// place.
func (h *Header) Append(dst []byte) ([]byte, error) {
	if h.DType.Kind == meta.Opaque {
		return dst, &blosc2.OptionError{Option: "dtype", Value: h.DType.Text, Range: "one that NumPy has"}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr(h.DType), python(h.Fortran), shapeText(h.Shape))
	if len(h.Shape) > 0 {
		text.WriteString(strings.Repeat(" ", maxDigits-len(dimText(h.Shape[0]))))
	}
	version, width := byte(1), 2
	if !latin1(text.String()) {
		version, width = 3, 4
	}
	length := padded(text.Len(), width)
	if version == 1 && length > 1<<16-1 {
		version, width = 2, 4
		length = padded(text.Len(), width)
	}
	if length > maxHeader {
		return dst, &blosc2.OptionError{Option: "dtype", Value: fmt.Sprintf("of %d bytes", text.Len()), Range: fmt.Sprintf("at most %d", maxHeader)}
	}
	dst = append(dst, magic...)
	dst = append(dst, version, 0)
	if width == 2 {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(length))
	} else {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(length))
	}
	body := encode(text.String(), version)
	dst = append(dst, body...)
	dst = append(dst, bytes.Repeat([]byte(" "), length-len(body)-1)...)
	return append(dst, '\n'), nil
}

// maxDigits is the room that NumPy leaves for the first dimension.
const maxDigits = len("18446744073709551616") + 1

// padded gives the length of the text with the newline and the spaces that make
// the data begin at a multiple of 64.
func padded(text, width int) int {
	begin := len(magic) + 2 + width
	return (begin+text+1+align-1)/align*align - begin
}

// latin1 tells whether a header of version 1 can hold the text.
func latin1(s string) bool {
	for _, r := range s {
		if r > 0xff {
			return false
		}
	}
	return true
}

// encode turns text into the bytes of a version: Latin-1 before 3.0, UTF-8
// since.
func encode(s string, version byte) []byte {
	if version == 3 {
		return []byte(s)
	}
	b := make([]byte, 0, utf8.RuneCountInString(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

func python(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func dimText(n int64) string { return strconv.FormatInt(max(n, 0), 10) }

func shapeText(shape []int64) string {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = dimText(n)
	}
	if len(dims) == 1 {
		return "(" + dims[0] + ",)"
	}
	return "(" + strings.Join(dims, ", ") + ")"
}

// descr writes the type as the header has it: quoted, or a list of fields in
// which gaps are fields without a name.
func descr(d meta.DType) string {
	if d = fillGaps(d); d.Kind == meta.Struct {
		return d.String()
	}
	return "'" + d.String() + "'"
}

func fillGaps(d meta.DType) meta.DType {
	if d.Kind != meta.Struct {
		return d
	}
	var fields []meta.Field
	end := 0
	gap := func(to int) {
		if to > end {
			fields = append(fields, meta.Field{Offset: end, Type: meta.DType{Kind: meta.Void, Order: '|', Size: to - end}})
		}
	}
	for _, f := range d.Fields {
		gap(f.Offset)
		f.Type = fillGaps(f.Type)
		fields = append(fields, f)
		end = f.Offset + f.Len()
	}
	gap(d.Size)
	d.Fields = fields
	return d
}

// dropGaps is the way back.
func dropGaps(d meta.DType) meta.DType {
	var fields []meta.Field
	for _, f := range d.Fields {
		if f.Name == "" && f.Type.Kind == meta.Void {
			continue
		}
		f.Type = dropGaps(f.Type)
		fields = append(fields, f)
	}
	d.Fields = fields
	return d
}
