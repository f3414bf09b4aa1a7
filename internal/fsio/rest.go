package fsio

import (
	"io"
	"io/fs"
	"math"
)

// Rest returns the part of r that begins at off. Unlike an io.SectionReader it grows
// with r: see Size.
func Rest(r io.ReaderAt, off int64) io.ReaderAt {
	if off == 0 {
		return r
	}
	return &rest{r, off}
}

type rest struct {
	r   io.ReaderAt
	off int64
}

func (s *rest) ReadAt(p []byte, off int64) (int, error) { return s.r.ReadAt(p, s.off+off) }

// Outer returns the source that s is a part of, as io.SectionReader.Outer does.
func (s *rest) Outer() (r io.ReaderAt, off, n int64) { return s.r, s.off, math.MaxInt64 - s.off }

// Size returns the current size of r. It reports false if r is neither a file nor the
// Rest of one.
func Size(r io.ReaderAt) (int64, bool) {
	switch r := r.(type) {
	case *rest:
		size, ok := Size(r.r)
		return size - r.off, ok
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0, false
		}
		return info.Size(), true
	}
	return 0, false
}
