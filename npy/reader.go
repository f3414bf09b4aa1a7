package npy

import (
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A Reader reads the items of a file as bytes, in the order and byte order of the
// file. It is for one goroutine at a time.
type Reader struct {
	Header Header
	src    io.Reader
	left   int64
}

// NewReader reads the header from r. Read then returns the items and reads
// nothing after them. The errors are those of ReadHeader.
func NewReader(r io.Reader) (*Reader, error) {
	if err := framing.Need(r != nil, "source", "an io.Reader"); err != nil {
		return nil, err
	}
	h, err := ReadHeader(r)
	if err != nil {
		return nil, err
	}
	size, err := h.Size()
	if err != nil {
		return nil, err
	}
	return &Reader{Header: h, src: r, left: size}, nil
}

// Read reads bytes of items. A file that ends before the last of them results in
// io.ErrUnexpectedEOF; io.EOF means that all were read.
func (r *Reader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.src.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err == io.EOF {
		if r.left > 0 {
			return n, io.ErrUnexpectedEOF
		}
		err = nil
	}
	return n, err
}

// COrder returns a reader of the same bytes in C order, regardless of the order in the
// file. Items in Fortran order are gathered in memory, at most limit bytes at a time: the
// whole array if it fits, otherwise as many slices along the first dimension as fit. The
// latter needs a source that is an io.ReaderAt and can seek, and makes many small reads,
// one for each column of a slab. If neither is possible, COrder returns
// blosc2.ErrTooLarge. COrder must be called before the first Read.
func (r *Reader) COrder(limit int64) (io.Reader, error) {
	if !r.Header.transposed() {
		return r, nil
	}
	t, err := r.Header.Type()
	if err != nil {
		return nil, err
	}
	f := &fortran{shape: r.Header.Shape, item: t.Size}
	if f.rows = f.shape[0]; r.left > limit {
		if f.source = positioned(r.src, &f.base); f.source == nil {
			return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge,
				"npy: an array in Fortran order of %d bytes exceeds the limit of %d from a source that cannot seek", r.left, limit)
		}
		row := r.left / f.rows
		if f.rows = limit / row; f.rows == 0 {
			return nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge,
				"npy: an array in Fortran order with slices of %d bytes; the limit is %d", row, limit)
		}
	} else {
		f.sequential = r
	}
	return f, nil
}

// positioned returns r as an io.ReaderAt, and its offset, if both really work:
// a pipe is an *os.File too.
func positioned(r io.Reader, at *int64) io.ReaderAt {
	s, ok := r.(io.Seeker)
	if !ok {
		return nil
	}
	source, ok := r.(io.ReaderAt)
	if !ok {
		return nil
	}
	var err error
	if *at, err = s.Seek(0, io.SeekCurrent); err != nil {
		return nil
	}
	return source
}
