package npy

import (
	"io"

	"github.com/seed03b80dae/blosc2"
)

// MaxFortran is how many bytes an array in Fortran order may have: it is held
// in memory while its items are put into C order. Arrays of at most one
// dimension need no memory.
const MaxFortran = 4 << 30

// A Reader gives the items of a .npy file in C order, then io.EOF. A file that
// ends before is io.ErrUnexpectedEOF; what follows the array is not read.
type Reader struct {
	header Header
	src    io.Reader
	left   int64 // bytes of items to come
	err    error
}

// NewReader reads the header.
func NewReader(r io.Reader) (*Reader, error) {
	h, err := ReadHeader(r)
	if err != nil {
		return nil, err
	}
	size, err := h.Size()
	if err != nil {
		return nil, err
	}
	n := &Reader{header: *h, src: r, left: size}
	if h.Fortran && manyDims(h.Shape) {
		if size > MaxFortran {
			return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge, "Fortran order of %d bytes, limit %d", size, int64(MaxFortran))
		}
		n.src = &transposer{src: r, header: h, size: size}
	}
	return n, nil
}

// manyDims tells whether the order of the items matters.
func manyDims(shape []int64) bool {
	n := 0
	for _, d := range shape {
		if d > 1 {
			n++
		}
	}
	return n > 1
}

// Header gives the file's header. Fortran says how the file is, not how it is
// read.
func (r *Reader) Header() Header { return r.header }

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.err != nil || r.left == 0 || len(p) == 0 {
		if r.err == nil && r.left == 0 {
			return 0, io.EOF
		}
		return 0, r.err
	}
	n, err := r.src.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err == io.EOF && r.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	if r.left == 0 {
		err = nil
	}
	r.err = err
	return n, err
}
