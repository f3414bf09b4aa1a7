//go:build !linux

package main

import (
	"io"
	"io/fs"
	"os"
)

// readSmall reads all of a regular file of at most limit bytes into buf, which may
// grow. It opens any other file without reading it.
func readSmall(name string, limit int64, buf []byte) (f *os.File, info fs.FileInfo, held []byte, err error) {
	if f, err = openFile(name); err != nil {
		return nil, nil, nil, err
	}
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return f, nil, nil, nil
	}
	held, ok, err := readWhole(func(b []byte) (int, error) {
		n, err := f.Read(b)
		if err == io.EOF {
			err = nil
		}
		return n, err
	}, info.Size(), limit, buf)
	if err == nil && !ok {
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			return f, nil, nil, nil
		}
	}
	f.Close()
	return nil, info, held, err
}

// putUnnamed returns false, as only Linux makes files without a name.
func (e *env) putUnnamed(string, []byte, fs.FileInfo) (done bool, err error) { return false, nil }
