package frame

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A ReadCloser is a Reader of a file, or of the directory of a sparse frame.
type ReadCloser struct {
	*Reader
	file *os.File // nil for a directory
}

// OpenFrame opens the frame that a path names: a file, or a directory.
func OpenFrame(path string, opts ...Option) (*ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		f, err := OpenFS(os.DirFS(path), opts...)
		if err != nil {
			return nil, err
		}
		return &ReadCloser{Reader: f}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := attempt(file, func(size int64) (*Reader, error) { return Open(file, size, opts...) })
	if err != nil {
		file.Close()
		return nil, err
	}
	return &ReadCloser{f, file}, nil
}

// attempt opens a frame that its writer may be changing: a header that is read
// at the moment that it is written can look damaged.
func attempt(file *os.File, open func(size int64) (*Reader, error)) (f *Reader, err error) {
	for range 5 {
		info, serr := file.Stat()
		if serr != nil {
			return nil, serr
		}
		if f, err = open(info.Size()); err == nil {
			return f, nil
		}
	}
	return nil, err
}

// Refresh gives a reader of the frame as it is now, which another process may
// have made longer or changed. It is f itself where nothing has changed; f can
// be used on, and sees what it saw. Close is to be called once, on either.
func (f *ReadCloser) Refresh() (*ReadCloser, error) {
	if f.file == nil {
		_, err := f.Reader.Refresh(0)
		return nil, err
	}
	r, err := attempt(f.file, f.Reader.Refresh)
	if err != nil || r == f.Reader {
		return f, err
	}
	return &ReadCloser{r, f.file}, nil
}

// Close closes the file. The reader must not be in use then.
func (f *ReadCloser) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// SealFile is Seal for the file that a path names.
func SealFile(path string, opts ...Option) error {
	return change(path, func(file *os.File, size int64) error { return Seal(file, size, opts...) })
}

// RenewFile is Renew for the file that a path names.
func RenewFile(path string, opts ...Option) error {
	return change(path, func(file *os.File, size int64) error { return Renew(file, size, opts...) })
}

// change opens a file for one change, with its lock held.
func change(path string, do func(file *os.File, size int64) error) error {
	unlock, err := Lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		err = do(file, info.Size())
	}
	return errors.Join(err, file.Close())
}

// A FileEditor is an Editor of a file, which it has locked against other
// writers.
type FileEditor struct {
	*Editor
	file   *os.File
	unlock func() error
}

// OpenFile opens the frame in a file for changing: see Edit. Other writers that
// take the lock are kept out until Close.
func OpenFile(path string, opts ...Option) (*FileEditor, error) {
	unlock, err := Lock(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	info, err := file.Stat()
	if err == nil {
		var e *Editor
		if e, err = Edit(file, info.Size(), opts...); err == nil {
			return &FileEditor{e, file, unlock}, nil
		}
	}
	return nil, errors.Join(err, file.Close(), unlock())
}

// Close drops what was not committed, closes the file and gives the lock back.
func (e *FileEditor) Close() error {
	if e.file == nil {
		return nil
	}
	err := errors.Join(e.Editor.Close(), e.file.Close(), e.unlock())
	e.file = nil
	return err
}

// Lock takes the lock that C-Blosc2 3.2 and later take, where locking is
// switched on, on the sidecar file path.b2lock, of a sparse frame .b2lock in its
// directory (frame.md §9), and counts the change there. It does not wait: if
// somebody else holds the lock that is an error. unlock gives it back. The
// sidecar stays, as it does with C-Blosc2, unless it was not there before and
// nobody else has it open by now, which only Linux can tell.
func Lock(path string) (unlock func() error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err // no sidecar for a file that is not there
	}
	name := path + ".b2lock"
	if info.IsDir() {
		name = filepath.Join(path, ".b2lock")
	}
	for {
		side, isNew, err := openSide(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // removed in between
		}
		if err != nil {
			return nil, err
		}
		if err := lockFile(side); err != nil {
			return nil, errors.Join(fmt.Errorf("blosc2: %s: another writer has it: %w", path, err), side.Close())
		}
		if !stillThere(side) { // whoever had it before has removed it
			side.Close()
			continue
		}
		unlock := func() error {
			if isNew && alone(side) {
				os.Remove(side.Name()) // if that is not possible it stays
			}
			return side.Close() // which unlocks
		}
		if err := countChange(side); err != nil {
			return nil, errors.Join(err, unlock())
		}
		return unlock, nil
	}
}

// openSide opens the sidecar, or makes it.
func openSide(name string) (side *os.File, isNew bool, err error) {
	side, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if !errors.Is(err, os.ErrExist) {
		return side, true, err
	}
	side, err = os.OpenFile(name, os.O_RDWR, 0)
	return side, false, err
}

// stillThere tells whether an open file is the one that has its name.
func stillThere(file *os.File) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(file.Name())
	return err == nil && os.SameFile(open, now)
}

// CompactFile writes the frame in a file anew: see Reader.Compact. The old file
// is there until the new one takes its place.
func CompactFile(path string, opts ...Option) error {
	unlock, err := Lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := OpenFrame(path, opts...)
	if err != nil {
		return err
	}
	defer f.Close()
	return Replace(path, func(file *os.File) error { return f.Compact(file) })
}

// RepairFile is Repair from one path to another, which must not exist.
func RepairFile(in, out string, o RepairOptions) (*Repaired, error) {
	src, err := os.Open(in)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return nil, err
	}
	if other, err := os.Stat(out); err == nil && os.SameFile(info, other) {
		return nil, fmt.Errorf("blosc2: repairing %s over itself", in)
	}
	var rep *Repaired
	err = Replace(out, func(file *os.File) error {
		rep, err = Repair(file, src, info.Size(), o)
		return err
	})
	return rep, err
}

// Replace makes the file that a path names anew, at once: write gets a new file
// in the same folder, which then takes the place of the old one, if there is
// one. It is durable when Replace returns. If write fails the old file stays,
// and the new one is removed.
func Replace(path string, write func(file *os.File) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the file that a link names, not the link
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	file, err := newBeside(path, mode)
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// newBeside makes a new file in the folder of path.
func newBeside(path string, mode os.FileMode) (*os.File, error) {
	for n := os.Getpid(); ; n++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), n))
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// syncDir makes a renaming durable, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, os.ErrInvalid) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// OSDir gives the directory that a path names, for a sparse frame.
func OSDir(path string) Dir { return osDir{os.DirFS(path), path} }

type osDir struct {
	fs.FS
	path string
}

func (d osDir) WriteFile(name string, b []byte) error {
	return Replace(filepath.Join(d.path, name), func(file *os.File) error {
		_, err := file.Write(b)
		return err
	})
}

func (d osDir) Remove(name string) error { return os.Remove(filepath.Join(d.path, name)) }
