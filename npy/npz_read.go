package npy

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

const suffix = ".npy"

// An NPZReader reads the arrays of a .npz file. It is safe for use by several
// goroutines.
type NPZReader struct {
	names []string
	files map[string]*zip.File
}

// OpenNPZ opens the size bytes of r as a .npz file. Members that are not .npy
// files are ignored; of several with the same name the last one counts, as in
// NumPy. A file that is not a zip results in blosc2.ErrCorrupt.
func OpenNPZ(r io.ReaderAt, size int64) (*NPZReader, error) {
	if err := framing.Need(r != nil, "source", "an io.ReaderAt"); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, corrupt("npz: %v", err)
	}
	npz := &NPZReader{files: map[string]*zip.File{}}
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, suffix)
		if !ok {
			continue
		}
		if npz.files[name] == nil {
			npz.names = append(npz.names, name)
		}
		npz.files[name] = f
	}
	return npz, nil
}

// Names lists the arrays in the order of the file, without the ".npy".
func (z *NPZReader) Names() []string { return append([]string(nil), z.names...) }

// Compressed reports whether any array is compressed, as by NumPy's
// savez_compressed.
func (z *NPZReader) Compressed() bool {
	for _, f := range z.files {
		if f.Method != zip.Store {
			return true
		}
	}
	return false
}

// Open returns a reader of an array, which must be closed. An unknown name
// returns blosc2.ErrOption.
func (z *NPZReader) Open(name string) (*NPZMember, error) {
	f := z.files[name]
	if f == nil {
		return nil, &blosc2.OptionError{Option: "npz member", Value: name, Range: "one of " + strings.Join(z.names, ", ")}
	}
	c, err := f.Open()
	if err != nil {
		return nil, corrupt("npz member %q: %v", name, err)
	}
	m := &NPZMember{name: name, file: c}
	if m.Reader, err = NewReader(c); err != nil {
		c.Close()
		return nil, m.named(err)
	}
	return m, nil
}

// An NPZMember is a Reader of an array in a .npz file.
type NPZMember struct {
	*Reader
	name string
	file io.ReadCloser
}

// Read reads bytes of items, as Reader.Read does. After the last one it
// verifies the checksum of the zip file; if that is wrong, the error is
// blosc2.ErrChecksum instead of io.EOF.
func (m *NPZMember) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if err == io.EOF {
		var rest [1]byte // all items were read; reading on makes the zip reader verify the checksum
		if _, e := m.file.Read(rest[:]); e != nil {
			err = e
		}
	}
	return n, m.named(err)
}

// named adds the member's name to an error, and converts it to an error of this
// module.
func (m *NPZMember) named(err error) error {
	var damage flate.CorruptInputError
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.Is(err, zip.ErrChecksum):
		return blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrChecksum, "npz member %q", m.name)
	case errors.As(err, &damage):
		return corrupt("npz member %q: %v", m.name, err)
	}
	return fmt.Errorf("npz member %q: %w", m.name, err)
}

// Close ends reading.
func (m *NPZMember) Close() error { return m.file.Close() }
