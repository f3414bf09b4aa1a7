package stream

import (
	"io"
	"os"
)

// DefaultSpool is how many bytes of a spool are held in memory.
const DefaultSpool = 64 << 20

// A spool keeps bytes until they can be used: the first ones in memory, and
// all of them in a temporary file once they are more than limit. The zero
// value goes to a file at once.
type spool struct {
	limit int64
	mem   []byte
	file  *os.File
	named bool // the file could not be removed while open
	size  int64
}

// Write appends.
func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.size+int64(len(p)) > s.limit {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	n, err := len(p), error(nil)
	if s.file == nil {
		s.mem = append(s.mem, p...)
	} else {
		n, err = s.file.WriteAt(p, s.size)
	}
	s.size += int64(n)
	return n, err
}

// toFile moves what is in memory to a temporary file.
func (s *spool) toFile() error {
	f, err := os.CreateTemp("", "blosc2-spool-*")
	if err != nil {
		return err
	}
	s.file, s.named = f, os.Remove(f.Name()) != nil // removed, nothing is left behind by a crash
	_, err = f.Write(s.mem)
	s.mem = nil
	return err
}

// WriteAt overwrites what was written.
func (s *spool) WriteAt(p []byte, off int64) (int, error) {
	if s.file != nil {
		return s.file.WriteAt(p, off)
	}
	return copy(s.mem[off:], p), nil
}

// ReadAt reads what was written, by any number of goroutines.
func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	if off >= s.size {
		return 0, io.EOF
	}
	if s.file != nil {
		return s.file.ReadAt(p, off)
	}
	n := copy(p, s.mem[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteTo writes all of it.
func (s *spool) WriteTo(w io.Writer) (int64, error) {
	if s.file == nil {
		n, err := writeFull(w, s.mem)
		return int64(n), err
	}
	return io.Copy(w, io.NewSectionReader(s.file, 0, s.size))
}

// Close gives up memory and file. The spool can be written anew.
func (s *spool) Close() error {
	f := s.file
	s.mem, s.file, s.size = nil, nil, 0
	if f == nil {
		return nil
	}
	err := f.Close()
	if s.named {
		os.Remove(f.Name())
	}
	return err
}
