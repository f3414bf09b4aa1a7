package main

import (
	"bytes"
	"io"
	"os"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// holePiece is the length and alignment of zeros that become holes in a file. It is
// at least the block size of file systems.
const holePiece = 64 << 10

var zeros [holePiece]byte

// A sparse writes a file in which long runs of zeros are holes.
type sparse struct {
	w    *fsio.WriteBack
	at   int64
	hole bool // what was written so far ends in a hole
}

// Write implements io.Writer.
func (s *sparse) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		run, zero := s.run(p[n:])
		if s.hole = zero; zero {
			err = s.w.Skip(int64(run))
		} else {
			run, err = s.w.Write(p[n : n+run])
		}
		n += run
		s.at += int64(run)
	}
	return n, err
}

// run returns the length of the first run of p, and whether it consists of zeros that
// become a hole.
func (s *sparse) run(p []byte) (n int, zero bool) {
	for n < len(p) {
		piece := min(holePiece-int((s.at+int64(n))%holePiece), len(p)-n)
		b := p[n : n+piece]
		isZero := piece == holePiece && b[0] == 0 && bytes.Equal(b, zeros[:])
		if n > 0 && isZero != zero {
			break
		}
		zero = isZero
		n += piece
	}
	return n, zero
}

// finish sets the length of a file that ends in a hole.
func (s *sparse) finish() error {
	if !s.hole {
		return nil
	}
	return s.w.Truncate(s.at)
}

// sparseWriter returns a writer to the output in which zeros may become holes.
func (o *output) sparseWriter() io.Writer {
	if o.final == "" {
		return o.File
	}
	o.holes = &sparse{w: &fsio.WriteBack{File: o.File}}
	return o.holes
}

// copySparse copies a file, holes included.
func copySparse(to, from *os.File, size int64) error {
	s := &sparse{w: &fsio.WriteBack{File: to}}
	if _, err := io.Copy(s, io.NewSectionReader(from, 0, size)); err != nil {
		return err
	}
	return s.finish()
}
