package fsio

import (
	"cmp"
	"errors"
	"os"
)

// A File is a file that is open for reading and writing, and locked against other
// writers.
type File struct {
	*os.File
	unlock func() error
	made   bool // whether Open created the file
}

// Open locks and opens a file, and calls begin with it and its size. If create is set,
// a missing file is created once the lock is held. If begin fails or panics, the file
// is closed and unlocked, and removed if Open created it.
func Open(path string, create bool, o Locking, begin func(file *os.File, size int64) error) (_ *File, err error) {
	f, err := openLocked(path, create, o)
	if err != nil {
		return nil, err
	}
	begun := false
	defer func() {
		if !begun {
			err = errors.Join(err, f.discard())
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := begin(f.File, info.Size()); err != nil {
		return nil, err
	}
	begun = true
	return f, nil
}

var errNotRegular = errors.New("not a regular file")

func openLocked(path string, create bool, o Locking) (*File, error) {
	info, err := os.Stat(path)
	switch missing := errors.Is(err, os.ErrNotExist); {
	case err != nil && !(missing && create):
		return nil, err
	case err == nil && info.IsDir(): // a directory cannot be opened for writing
		_, err := os.OpenFile(path, os.O_RDWR, 0)
		return nil, err
	case err == nil && !info.Mode().IsRegular(): // a device or a pipe cannot be truncated or patched
		return nil, errNotRegular
	}
	unlock, err := lockSide(path, sidecar(path, false), o)
	if err != nil {
		return nil, err
	}
	f := &File{unlock: unlock}
	f.File, err = os.OpenFile(path, os.O_RDWR, 0) // a compaction may have replaced the file before the lock was held
	if errors.Is(err, os.ErrNotExist) && create {
		f.made = true
		f.File, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	}
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return f, nil
}

// Release closes and unlocks the file. It returns err, or the error of closing and
// unlocking if err is nil. Later calls only return err.
func (f *File) Release(err error) error {
	if f.unlock == nil {
		return err
	}
	unlock := f.unlock
	f.unlock = nil
	return cmp.Or(err, errors.Join(f.Close(), unlock()))
}

// discard is like Release, and removes the file if Open created it.
func (f *File) discard() error {
	err := f.Close()
	if info, e := os.Lstat(f.Name()); f.made && e == nil && info.Mode().IsRegular() { // the name refers to the file, not to a link
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return errors.Join(err, f.unlock())
}
