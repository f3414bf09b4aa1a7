package npy

import (
	"io"
	"os"
)

// A spool keeps items in a temporary file until their number is known.
type spool struct {
	file *os.File
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil {
		f, err := os.CreateTemp("", "npy-spool-*")
		if err != nil {
			return 0, err
		}
		s.file = f
	}
	return s.file.Write(p)
}

// copyTo writes all of it.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		return nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

// Close removes the file.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if e := os.Remove(s.file.Name()); err == nil {
		err = e
	}
	s.file = nil
	return err
}
