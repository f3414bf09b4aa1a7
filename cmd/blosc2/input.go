package main

import (
	"errors"
	"os"
)

// An input is a file or the standard input.
type input struct {
	name string // for messages; "-" for the standard input
	File *os.File
	size int64 // bytes, 0 where that is not known
}

var errIsDir = errors.New("is a directory")

// openInput opens a file for reading; "" and "-" are the standard input.
func (e *env) openInput(name string) (*input, error) {
	if name == "" || name == "-" {
		return &input{name: "-", File: e.stdin, size: sizeOf(e.stdin)}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, about(name, err)
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		f.Close()
		if err == nil {
			err = errIsDir
		}
		return nil, about(name, err)
	}
	return &input{name: name, File: f, size: sizeOf(f)}, nil
}

// sizeOf gives the bytes of a regular file that lie ahead.
func sizeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
