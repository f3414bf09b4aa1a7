package fsio

import (
	"io"
	"io/fs"
)

// A Memory is a file in memory. It is for one goroutine at a time.
type Memory struct{ b []byte }

// NewMemory returns a file that holds b, which it may change.
func NewMemory(b []byte) *Memory { return &Memory{b} }

// Bytes returns the contents of the file, valid until it changes.
func (m *Memory) Bytes() []byte { return m.b }

// ReadAt implements io.ReaderAt.
func (m *Memory) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fs.ErrInvalid
	}
	if off >= int64(len(m.b)) {
		return 0, io.EOF
	}
	n := copy(p, m.b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements io.WriterAt.
func (m *Memory) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fs.ErrInvalid
	}
	if end := off + int64(len(p)); end > int64(len(m.b)) {
		m.extend(end)
	}
	return copy(m.b[off:], p), nil
}

// Truncate sets the size of the file. New bytes are zero.
func (m *Memory) Truncate(size int64) error {
	switch {
	case size < 0:
		return fs.ErrInvalid
	case size < int64(len(m.b)):
		m.b = m.b[:size]
	default:
		m.extend(size)
	}
	return nil
}

// extend adds zeros up to a size.
func (m *Memory) extend(size int64) {
	if n := int(size) - len(m.b); n > 0 {
		m.b = append(m.b, make([]byte, n)...)
	}
}

// Sync does nothing.
func (m *Memory) Sync() error { return nil }
