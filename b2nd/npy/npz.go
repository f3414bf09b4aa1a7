package npy

import (
	"archive/zip"
	"io"
	"io/fs"
	"strings"
)

const suffix = ".npy"

// An Archive reads a .npz file: a zip archive with a .npy file for each array.
// It may be used from many goroutines at once, if its source may.
type Archive struct{ zip *zip.Reader }

// OpenArchive opens the archive that r, of size bytes, holds.
func OpenArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	return &Archive{z}, nil
}

// Names lists the arrays in the order of the archive.
func (a *Archive) Names() []string {
	var names []string
	for _, f := range a.zip.File {
		if name, ok := strings.CutSuffix(f.Name, suffix); ok {
			names = append(names, name)
		}
	}
	return names
}

// An ArchiveReader reads one array of an archive. Close ends it.
type ArchiveReader struct {
	*Reader
	io.Closer
}

// Open opens an array by its name; there being none is fs.ErrNotExist.
func (a *Archive) Open(name string) (*ArchiveReader, error) {
	for _, f := range a.zip.File {
		if f.Name != name+suffix {
			continue
		}
		entry, err := f.Open()
		if err != nil {
			return nil, err
		}
		r, err := NewReader(entry)
		if err != nil {
			entry.Close()
			return nil, err
		}
		return &ArchiveReader{r, entry}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// An ArchiveWriter writes a .npz file, one array after the other.
type ArchiveWriter struct {
	zip    *zip.Writer
	method uint16
	last   *Writer
}

// NewArchiveWriter starts an archive in w. With deflate the arrays are
// compressed, as by numpy.savez_compressed.
func NewArchiveWriter(w io.Writer, deflate bool) *ArchiveWriter {
	method := zip.Store
	if deflate {
		method = zip.Deflate
	}
	return &ArchiveWriter{zip: zip.NewWriter(w), method: method}
}

// Create starts the next array and closes the one before.
func (a *ArchiveWriter) Create(name string, h Header) (*Writer, error) {
	if err := a.closeLast(); err != nil {
		return nil, err
	}
	entry, err := a.zip.CreateHeader(&zip.FileHeader{Name: name + suffix, Method: a.method})
	if err != nil {
		return nil, err
	}
	a.last, err = NewWriter(entry, h)
	return a.last, err
}

func (a *ArchiveWriter) closeLast() error {
	if a.last == nil {
		return nil
	}
	last := a.last
	a.last = nil
	return last.Close()
}

// Close closes the last array and ends the archive.
func (a *ArchiveWriter) Close() error {
	err := a.closeLast()
	if errZip := a.zip.Close(); err == nil {
		err = errZip
	}
	return err
}
