package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// OpenFile opens the store that a path names: a zip, a folder or a frame. Close
// closes its files. Links out of a folder are not followed.
func OpenFile(path string, opts ...Option) (_ *Store, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		s, err := OpenFS(root.FS(), opts...)
		if err != nil {
			return nil, errors.Join(err, root.Close())
		}
		s.data.close = append([]io.Closer{root}, s.data.close...)
		return s, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := Open(f, info.Size(), opts...)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.data.close = append(s.data.close, f)
	return s, nil
}

// WriteFile writes a store to a file at once: a zip, or a single frame where the
// path ends in ".b2e". The new file takes the place of an old one when it is
// whole and safe on the disk.
func WriteFile(path string, c Contents) error {
	write := Write
	if strings.HasSuffix(path, Embed.String()) {
		write = WriteEmbed
	}
	return fsio.Replace(path, func(f *os.File) error { return write(f, c) })
}

// WriteFolder writes a store to a new folder, file by file, each at once and
// embed.b2e last: without that the folder is not a store. A folder that is there
// already must be empty; else the error is fs.ErrExist.
func WriteFolder(path string, c Contents) error {
	members, err := c.members()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return err
	}
	if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 {
		return errors.Join(err, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist})
	}
	for _, m := range members {
		name := filepath.Join(path, filepath.FromSlash(m.name))
		if !filepath.IsLocal(filepath.FromSlash(m.name)) {
			return &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		err := fsio.Replace(name, func(f *os.File) error {
			_, err := io.Copy(f, io.NewSectionReader(m.r, 0, m.length))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AppendFile is Append for the zip that a path names. Other writers that take the lock
// are kept out meanwhile.
func AppendFile(path string, items ...Item) (err error) {
	unlock, err := frame.LockFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return Append(f, info.Size(), items...)
}
