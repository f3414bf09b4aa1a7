package npy

import (
	"archive/zip"
	"io"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// An NPZWriter writes a .npz file, one array at a time.
type NPZWriter struct {
	zip    *zip.Writer
	method uint16
	names  map[string]bool
	open   *NPZMemberWriter
	closed bool
}

// NewNPZWriter returns an NPZWriter that writes to w, like NumPy's savez, or
// savez_compressed if compress is true.
func NewNPZWriter(w io.Writer, compress bool) *NPZWriter {
	z := &NPZWriter{zip: zip.NewWriter(w), method: zip.Store, names: map[string]bool{}}
	if compress {
		z.method = zip.Deflate
	}
	return z
}

// zipEpoch is the modification time that NumPy writes.
var zipEpoch = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// Create begins an array. The previous one must be closed. A dimension may be
// Unknown; the items are then kept in a temporary file until Close.
func (z *NPZWriter) Create(name string, h Header) (*NPZMemberWriter, error) {
	switch {
	case z.closed:
		return nil, blosc2.ErrClosed
	case z.open != nil && !z.open.closed:
		return nil, &blosc2.OptionError{Option: "npz member", Value: name, Range: "created after the previous one is closed"}
	case name == "" || z.names[name]:
		return nil, &blosc2.OptionError{Option: "npz member", Value: name, Range: "non-empty and unique"}
	}
	f, err := z.zip.CreateHeader(&zip.FileHeader{Name: name + suffix, Method: z.method, Modified: zipEpoch})
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(f, h)
	if err != nil {
		return nil, err
	}
	z.names[name] = true
	z.open = &NPZMemberWriter{Writer: w}
	return z.open, nil
}

// Close completes the file; it does not close the underlying writer. If an
// array is still open, the error is blosc2.ErrOption.
func (z *NPZWriter) Close() error {
	if z.closed {
		return nil
	}
	if z.open != nil && !z.open.closed {
		return &blosc2.OptionError{Option: "npz file", Value: "Close", Range: "called after the last member is closed"}
	}
	z.closed = true
	return z.zip.Close()
}

// An NPZMemberWriter is a Writer of an array in a .npz file.
type NPZMemberWriter struct {
	*Writer
	closed bool
}

// Close completes the array.
func (m *NPZMemberWriter) Close() error {
	m.closed = true
	return m.Writer.Close()
}
