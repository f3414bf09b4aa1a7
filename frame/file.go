package frame

import (
	"os"
)

// A ReadCloser is a Reader of a file, or of the directory of a sparse frame.
type ReadCloser struct {
	*Reader
	file *os.File // nil for a directory
}

// OpenFrame opens the frame that a path names: a file, or a directory.
func OpenFrame(path string, opts ...Option) (*ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		f, err := OpenFS(os.DirFS(path), opts...)
		if err != nil {
			return nil, err
		}
		return &ReadCloser{Reader: f}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := Open(file, info.Size(), opts...)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &ReadCloser{f, file}, nil
}

// Close closes the file. The reader must not be in use then.
func (f *ReadCloser) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// SealFile is Seal for the file that a path names.
func SealFile(path string, opts ...Option) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		err = Seal(file, info.Size(), opts...)
	}
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}
