package npy

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

const (
	align        = 64 // alignment of the offset of the items
	growthDigits = 21 // digits for which the slowest dimension always has space
)

// Append appends the header as NumPy writes it. An unknown dimension is written
// as 0; the header has the same length once it is known. For a Header from
// ReadHeader the bytes are those of the file, if NumPy wrote it.
func (h *Header) Append(dst []byte) ([]byte, error) {
	text, err := h.text()
	if err != nil {
		return nil, err
	}
	latin := encodeLatin1(text)
	for version := max(h.Version, 1); version <= 3; version++ {
		body, lengthSize := latin, 2
		if version > 1 {
			lengthSize = 4
		}
		if version == 3 {
			body = []byte(text)
		}
		// Like NumPy, pad by a whole align if the header is already aligned.
		head := len(magic) + 2 + lengthSize
		length := len(body) + align - (head+len(body)+1)%align + 1
		fits := body != nil && (version > 1 || length <= math.MaxUint16) && int64(length) <= math.MaxUint32
		if !fits {
			if h.Version != 0 {
				break
			}
			continue
		}
		dst = append(append(dst, magic...), byte(version), 0)
		if version == 1 {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(length))
		} else {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(length))
		}
		dst = append(dst, body...)
		for i := len(body); i < length-1; i++ {
			dst = append(dst, ' ')
		}
		return append(dst, '\n'), nil
	}
	return nil, &blosc2.OptionError{Option: "npy version", Value: h.Version, Range: "1 to 3, and a version that can hold this dtype"}
}

// text returns the header's dict, and the spaces that leave room for growth.
func (h *Header) text() (string, error) {
	t, err := h.Type()
	if err != nil {
		return "", err
	}
	descr, ok := t.Descr()
	if !ok {
		return "", blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "npy: dtype with overlapping fields, or fields that are not in order: %.80s", t)
	}
	if len(h.Shape) > maxDims {
		return "", &blosc2.OptionError{Option: "shape", Value: h.Shape, Range: "of at most 64 dimensions"}
	}
	order := "False"
	if h.Fortran {
		order = "True"
	}
	var shape strings.Builder
	room := 0
	for i, n := range h.Shape {
		if n == Unknown && i == h.slowest() {
			n = 0
		}
		if n < 0 {
			return "", &blosc2.OptionError{Option: "shape", Value: h.Shape, Range: "0 or more in each dimension; the slowest may be Unknown"}
		}
		digits := strconv.FormatInt(n, 10)
		shape.WriteString(digits)
		if i == h.slowest() {
			room = growthDigits - len(digits)
		}
		if i < len(h.Shape)-1 {
			shape.WriteString(", ")
		} else if i == 0 {
			shape.WriteString(",")
		}
	}
	return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': (" + shape.String() + "), }" +
		strings.Repeat(" ", room), nil
}

// encodeLatin1 returns nil if a character is not in Latin-1.
func encodeLatin1(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil
		}
		b = append(b, byte(r))
	}
	return b
}
