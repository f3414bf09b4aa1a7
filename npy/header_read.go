package npy

import (
	"encoding/binary"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 20 // bytes; NumPy itself accepts 10,000 by default
)

// ReadHeader reads the header from r, and nothing after it. DType is as NumPy's str
// writes it. It returns io.ErrUnexpectedEOF if the file ends within the header,
// blosc2.ErrCorrupt if the header is invalid, blosc2.ErrUnsupported if the version or
// dtype is unknown, and blosc2.ErrTooLarge if the header exceeds 1 MiB.
func ReadHeader(r io.Reader) (Header, error) {
	if err := framing.Need(r != nil, "source", "an io.Reader"); err != nil {
		return Header{}, err
	}
	var h Header
	var prefix [len(magic) + 2 + 4]byte
	b := prefix[:len(magic)+2+2]
	if err := readFull(r, b); err != nil {
		return h, err
	}
	if string(b[:len(magic)]) != magic {
		return h, corrupt("not a .npy file: begins with % x", b[:len(magic)])
	}
	h.Version = int(b[6])
	if h.Version < 1 || h.Version > 3 || b[7] != 0 {
		return h, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "npy: version %d.%d; must be 1.0, 2.0 or 3.0", b[6], b[7])
	}
	length := int64(binary.LittleEndian.Uint16(b[8:]))
	if h.Version > 1 {
		if err := readFull(r, prefix[10:]); err != nil {
			return h, err
		}
		length = int64(binary.LittleEndian.Uint32(prefix[8:]))
	}
	if length > maxHeader {
		return h, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge, "npy: header of %d bytes; the limit is %d", length, maxHeader)
	}
	text := make([]byte, length)
	if err := readFull(r, text); err != nil {
		return h, err
	}
	s, err := decodeText(text, h.Version)
	if err != nil {
		return h, err
	}
	return h, h.parse(s)
}

// readFull is io.ReadFull, except that an early end is always
// io.ErrUnexpectedEOF.
func readFull(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decodeText converts a header to UTF-8; before version 3 it is Latin-1.
func decodeText(b []byte, version int) (string, error) {
	if version >= 3 {
		if !utf8.Valid(b) {
			return "", corrupt("header is not UTF-8")
		}
		return string(b), nil
	}
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String(), nil
}

// parse parses the header's dict of three keys.
func (h *Header) parse(text string) error {
	dict, err := scanDict(text)
	if err != nil {
		return err
	}
	if len(dict) != 3 {
		return corrupt("header has %d keys; must have 3", len(dict))
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if _, ok := dict[key]; !ok {
			return corrupt("header lacks the key %s", key)
		}
	}
	switch v := dict["fortran_order"]; v {
	case "True", "False":
		h.Fortran = v == "True"
	default:
		return corrupt("fortran_order %.20q", v)
	}
	if h.Shape, err = parseShape(dict["shape"]); err != nil {
		return err
	}
	// A name without quotes is not a Python literal.
	if descr := dict["descr"]; strings.IndexByte(`'"[({`, descr[0]) < 0 {
		return corrupt("descr %.20q", descr)
	}
	h.DType = dict["descr"]
	t, err := h.Type()
	if err != nil {
		return err
	}
	h.DType = t.String()
	_, err = h.Size()
	return err
}

// parseShape reads a tuple of numbers. Python 2 wrote some of them with an L.
func parseShape(s string) ([]int64, error) {
	inner, open := strings.CutPrefix(s, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if !open || !closed {
		return nil, corrupt("shape %.40q", s)
	}
	shape := []int64{}
	items := strings.Split(inner, ",")
	if last := len(items) - 1; strings.TrimSpace(items[last]) == "" { // nothing follows the last comma, or the tuple is ()
		items = items[:last]
	} else if last == 0 {
		return nil, corrupt("shape %.40q is not a tuple", s)
	}
	if len(items) > maxDims {
		return nil, corrupt("shape has %d dimensions; must have at most %d", len(items), maxDims)
	}
	for _, item := range items {
		n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(item), "L"), 10, 64)
		if err != nil || n < 0 {
			return nil, corrupt("shape %.40q", s)
		}
		shape = append(shape, n)
	}
	return shape, nil
}
