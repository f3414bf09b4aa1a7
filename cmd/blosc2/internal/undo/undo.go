// Package undo changes a file in such a way that all changes can be undone.
package undo

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
)

// A File is a file that keeps in memory what is overwritten or cut off in it, up to Most bytes.
// What is added after its end takes no memory. Its methods may be called by several goroutines.
type File struct {
	mu     sync.Mutex
	file   *os.File
	size   int64   // length of the file before the changes
	kept   []piece // in the order of their offsets, without overlap
	bytes  int64   // bytes in kept
	large  bool    // too much was changed
	undone bool
}

// Most is the largest number of bytes that a File keeps.
const Most = 256 << 20

// ErrLarge is the error of Undo if more than Most bytes were overwritten or cut off.
var ErrLarge = errors.New("more than 256 MiB of it was overwritten")

// A piece is a part of the file as it was.
type piece struct {
	at int64
	b  []byte
}

func (p piece) end() int64 { return p.at + int64(len(p.b)) }

// New returns a File for file, which must be open for reading and writing, and which only the
// File may change from now on.
func New(file *os.File) (*File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &File{file: file, size: info.Size()}, nil
}

// Size returns the length of the file before the changes.
func (f *File) Size() int64 { return f.size }

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(b []byte, at int64) (int, error) { return f.file.ReadAt(b, at) }

// Stat returns what is known of the file as it is now.
func (f *File) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// Sync writes the file to the disk. After Undo it returns fs.ErrClosed.
func (f *File) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.undone {
		return fs.ErrClosed
	}
	return f.file.Sync()
}

// WriteAt implements io.WriterAt. After Undo it returns fs.ErrClosed.
func (f *File) WriteAt(b []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.keep(at, at+int64(len(b))); err != nil {
		return 0, err
	}
	return f.file.WriteAt(b, at)
}

// Truncate changes the length of the file. After Undo it returns fs.ErrClosed.
func (f *File) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.keep(size, f.size); err != nil {
		return err
	}
	return f.file.Truncate(size)
}

// keep keeps the bytes from offset from to offset to, as far as they were in the file before
// the changes and are not kept already.
func (f *File) keep(from, to int64) error {
	switch {
	case f.undone:
		return fs.ErrClosed
	case f.large:
		return nil
	}
	i, _ := slices.BinarySearchFunc(f.kept, from, func(p piece, at int64) int { return cmp.Compare(p.end(), at+1) })
	for to = min(to, f.size); from < to; i++ {
		gap := to // end of what is not kept
		if i < len(f.kept) {
			gap = min(gap, f.kept[i].at)
		}
		if from < gap {
			if f.bytes += gap - from; f.bytes > Most {
				f.large, f.kept = true, nil
				return nil
			}
			p := piece{from, make([]byte, gap-from)}
			if _, err := io.ReadFull(io.NewSectionReader(f.file, from, gap-from), p.b); err != nil {
				return err
			}
			f.kept = slices.Insert(f.kept, i, p)
		}
		from = f.kept[i].end()
	}
	return nil
}

// Undo undoes all changes, and syncs the file if there were any. It needs no space on the disk
// that the file did not have before. While it runs, the file is neither what it was nor what it
// became. If too much was changed, or after Forget, the changes stay, and Undo returns ErrLarge.
// A file that cannot be written at all stays as it is.
func (f *File) Undo() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.undone {
		return nil
	}
	f.undone = true
	if f.large {
		return ErrLarge
	}
	info, err := f.file.Stat()
	if err != nil || len(f.kept) == 0 && info.Size() == f.size {
		return err
	}
	left, err := f.restore(f.kept)
	if len(left) > 0 && left[len(left)-1].at == f.kept[0].at { // without its header, the rest must stay, too
		return err
	}
	if err := f.file.Truncate(f.size); err != nil {
		return err
	}
	if _, err := f.restore(left); err != nil { // there was no space for these before the file was truncated
		return err
	}
	return f.file.Sync()
}

// restore writes pieces of the file as it was, the first one, which has the header, last. It
// returns those that could not be written, in the order in which it tried, and the first error.
func (f *File) restore(pieces []piece) (left []piece, err error) {
	for _, p := range slices.Backward(pieces) {
		if _, errWrite := f.file.WriteAt(p.b, p.at); errWrite != nil {
			left, err = append(left, p), cmp.Or(err, errWrite)
		}
	}
	return left, err
}

// Forget makes the changes so far, and all later ones, stay. Undo then only ends them.
func (f *File) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.large, f.kept = true, nil
}
