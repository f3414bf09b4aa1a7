package main

import (
	"errors"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// A memory holds a small output until it is complete, and is then written to the file
// in one call. Writing to the file directly would take ten calls.
type memory struct {
	b  []byte
	at int64
}

func (m *memory) reset() { *m = memory{b: m.b[:0]} }

// Write writes at the current offset.
func (m *memory) Write(p []byte) (int, error) {
	n, err := m.WriteAt(p, m.at)
	m.at += int64(n)
	return n, err
}

// WriteAt writes at an offset, which must not be after the end.
func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(len(m.b)) {
		return 0, errOutside
	}
	n := copy(m.b[off:], p)
	m.b = append(m.b, p[n:]...)
	return len(p), nil
}

// Seek implements io.Seeker.
func (m *memory) Seek(off int64, whence int) (int64, error) {
	off = fsio.Offset(off, whence, m.at, int64(len(m.b)))
	if off < 0 || off > int64(len(m.b)) {
		return m.at, errOutside
	}
	m.at = off
	return off, nil
}

var errOutside = errors.New("outside the output")
