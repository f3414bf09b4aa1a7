package main

import (
	"errors"
	"io/fs"
	"os"
)

// An input is a file, a remote object or the standard input.
type input struct {
	name string // for messages; "-" for the standard input
	File file
	size int64       // in bytes; 0 if not known
	info fs.FileInfo // of a regular file with a name; else nil
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
			return nil, about(publicName(name), err)
		}
		return &input{name: publicName(name), File: o, size: o.Size()}, nil
	}
	f, err := openFile(name)
	if err != nil {
		return nil, about(name, err)
	}
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		f.Close()
		if err == nil {
			err = errIsDir
		}
		return nil, about(name, err)
	}
	in := &input{name: name, File: f}
	if info.Mode().IsRegular() {
		in.size, in.info = info.Size(), info
	}
	return in, nil
}

// sizeOf returns the number of bytes of a regular file after its current offset.
func sizeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
