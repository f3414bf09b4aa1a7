package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// errFolder is the error for a folder among the inputs of compress.
var errFolder = errors.New("is a directory; -r processes the files in it")

// errNotSparse is the error for a folder that is not a sparse frame.
var errNotSparse = errors.New("is a directory and not a sparse frame; -r processes the files in it")

// expand replaces folders by the sparse frames below them and the files with the
// suffixes of frames, arrays and chunks, if the verb is recursive.
func (e *env) expand(names []string, recursive bool) (files []string, err error) {
	if !recursive {
		return names, nil
	}
	for _, root := range names {
		info, errStat := os.Stat(root)
		if root == "-" || errStat != nil || !info.IsDir() || isSparse(root) {
			files = append(files, root)
			continue
		}
		filepath.WalkDir(root, func(name string, entry fs.DirEntry, errWalk error) error {
			switch {
			case errWalk != nil:
				e.report(withName(name, errWalk))
				err = errReported
			case entry.IsDir() && name != root && isStore(name):
				files = append(files, name)
				return fs.SkipDir
			case raw(name) && !inStores(name):
			case entry.Type().IsRegular():
				files = append(files, name)
			case entry.IsDir() && isSparse(name):
				files = append(files, name)
				return fs.SkipDir
			}
			return nil
		})
	}
	return files, err
}

// inStores reports whether a name is a store in one file, or a leaf of a store in a
// folder.
func inStores(name string) bool {
	switch filepath.Ext(name) {
	case ".b2z", ".b2e", ".b2f", ".b2b":
		return true
	}
	return false
}

// errTyped is the error for a standard input that is a terminal.
var errTyped = misusef("the standard input is a terminal: name a FILE, or see blosc2 --help")

// openAnywhere opens a file, a remote object or a leaf of a store for random access.
func (e *env) openAnywhere(name string) (file, error) {
	if store, key, ok := splitStore(name); ok {
		return e.openMember(store, key)
	}
	if isURL(name) {
		return e.openURL(name)
	}
	return e.openLocal(name)
}

// openLocal opens a file for random access. The name "-" is the standard input, which
// openLocal copies to a temporary file unless it is a regular file.
func (e *env) openLocal(name string) (*os.File, error) {
	if name != "-" {
		return os.Open(name)
	}
	if e.isTerminal(e.stdin) {
		return nil, errTyped
	}
	if at, err := e.stdin.Seek(0, io.SeekCurrent); err == nil && at == 0 {
		return e.stdin, nil
	}
	f, err := spool(e.stdin)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
		e.stdin = f // e.stdin can then be opened again
	}
	return f, err
}

// spool copies a reader to a temporary file without a name.
func spool(from io.Reader) (*os.File, error) {
	return spooled(func(to *os.File) error {
		_, err := io.Copy(to, from)
		return err
	})
}

// spooled returns a temporary file without a name that holds what write writes.
func spooled(write func(to *os.File) error) (*os.File, error) {
	f, err := os.CreateTemp("", "blosc2-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // the file exists while it is open
	if err := write(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
