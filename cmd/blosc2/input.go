package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// An input is a file, a remote object or the standard input.
type input struct {
	name string // name for messages; "-" for the standard input
	File file
	size int64       // size in bytes, or 0 if it is not known
	info fs.FileInfo // description of a regular file with a name; else nil
	node bool        // the input is a device, a pipe with a name, or an open file by a name such as /dev/stdin
	held []byte      // all bytes of a small file that is already closed, or nil
}

var errIsDir = errors.New("is a directory")

// openInput opens a file or a remote object for reading; "" and "-" are the standard
// input.
func (e *env) openInput(name string) (*input, error) {
	if name == "" || name == "-" {
		return &input{name: "-", File: e.stdin, size: sizeOf(e.stdin)}, nil
	}
	if isURL(name) {
		o, err := e.openURL(name)
		if err != nil {
			return nil, withName(publicName(name), err)
		}
		return &input{name: publicName(name), File: o, size: o.Size()}, nil
	}
	f, err := openFile(name)
	if err != nil {
		return nil, withName(name, err)
	}
	return inputOf(name, f)
}

// ofDescriptor reports whether a file by this name belongs to a descriptor of the process, so
// that no output can be next to it.
func ofDescriptor(name string) bool {
	return slices.Contains([]string{"/dev", "/dev/fd", "/proc/self/fd"}, filepath.Dir(name))
}

// inputOf returns the input for an open file.
func inputOf(name string, f *os.File) (*input, error) {
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		f.Close()
		if err == nil {
			err = errIsDir
		}
		return nil, withName(name, err)
	}
	in := &input{name: name, File: f, node: !info.Mode().IsRegular() || ofDescriptor(name)}
	if info.Mode().IsRegular() {
		in.size, in.info = info.Size(), info
	}
	return in, nil
}

// openHolding opens an input as openInput does. If it is a regular file of at most
// limit bytes, openHolding reads all of it into *buf, which may grow.
func (e *env) openHolding(name string, limit int64, buf *[]byte) (*input, error) {
	if name == "" || name == "-" || isURL(name) {
		return e.openInput(name)
	}
	f, info, held, err := readSmall(name, limit, *buf)
	switch {
	case err != nil:
		return nil, withName(name, err)
	case f != nil:
		return inputOf(name, f)
	}
	*buf = held
	return &input{name: name, File: &heldFile{*bytes.NewReader(held), info}, size: int64(len(held)), info: info, node: ofDescriptor(name), held: held}, nil
}

// A heldFile is a file that was read as a whole and closed.
type heldFile struct {
	bytes.Reader
	info fs.FileInfo
}

func (f *heldFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *heldFile) Close() error               { return nil }

// readWhole reads a file, which has size bytes, with as few system calls as possible.
// ok is false if the file has grown beyond limit.
func readWhole(read func([]byte) (int, error), size, limit int64, buf []byte) (b []byte, ok bool, err error) {
	if buf = buf[:cap(buf)]; int64(len(buf)) <= size {
		buf = make([]byte, max(size+1, 4<<10))
	}
	for n := 0; ; {
		if n == len(buf) {
			if int64(n) > limit {
				return buf, false, nil
			}
			buf = append(buf, make([]byte, n)...)
		}
		k, err := read(buf[n:])
		n += k
		if err != nil {
			return nil, false, err
		}
		if k == 0 || int64(n) == size && n < len(buf) { // fewer bytes than requested mean that the file has ended
			return buf[:n], true, nil
		}
	}
}

// sizeOf returns the number of bytes of a regular file after its current offset.
func sizeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
