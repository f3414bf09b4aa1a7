package fsio

import (
	"io"
	"os"
)

// A Spool keeps bytes until they can be used: in memory up to Limit, and in a temporary
// file beyond that. The zero value uses a file at once.
type Spool struct {
	Limit int64 // largest number of bytes in memory

	mem   []byte
	file  *os.File
	named bool // the file could not be removed while open
	size  int64
}

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil && s.size+int64(len(p)) > s.Limit {
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

// toFile moves the bytes in memory to a temporary file.
func (s *Spool) toFile() error {
	f, err := os.CreateTemp("", "blosc2-spool-*")
	if err != nil {
		return err
	}
	s.file, s.named = f, os.Remove(f.Name()) != nil // the file is removed, so that it does not outlive the process
	_, err = f.Write(s.mem)
	s.mem = nil
	return err
}

// Size returns the number of bytes written.
func (s *Spool) Size() int64 { return s.size }

// Seek returns Size for every argument, because Write appends. It makes the Spool a
// sink that can be patched.
func (s *Spool) Seek(int64, int) (int64, error) { return s.size, nil }

// WriteAt overwrites bytes that were written before.
func (s *Spool) WriteAt(p []byte, off int64) (int, error) {
	if s.file != nil {
		return s.file.WriteAt(p, off)
	}
	return copy(s.mem[off:], p), nil
}

// ReadAt reads bytes that were written before. Several goroutines may call it.
func (s *Spool) ReadAt(p []byte, off int64) (int, error) {
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

// WriteTo writes all bytes to w.
func (s *Spool) WriteTo(w io.Writer) (int64, error) {
	if s.file == nil {
		n, err := WriteFull(w, s.mem)
		return int64(n), err
	}
	return io.Copy(w, io.NewSectionReader(s.file, 0, s.size))
}

// Close frees memory and removes the file. The Spool can then be reused.
func (s *Spool) Close() error {
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
