package npy

import (
	"io"
	"os"
)

// A spool holds items in a temporary file until their number is known.
type spool struct{ file *os.File }

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "npy-*")
	if err != nil {
		return nil, err
	}
	return &spool{f}, nil
}

func (s *spool) Write(p []byte) (int, error) { return s.file.Write(p) }

func (s *spool) copyTo(w io.Writer) error {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

// Close removes the file.
func (s *spool) Close() error {
	err := s.file.Close()
	if errRemove := os.Remove(s.file.Name()); err == nil {
		err = errRemove
	}
	return err
}
