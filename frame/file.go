package frame

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// A FileReader is a Reader of a file, or of the directory of a sparse frame.
type FileReader struct {
	*Reader
	file *os.File // the open file; nil for a directory
}

// OpenFile opens the frame in the named file or directory.
func OpenFile(path string, opts ...Option) (_ *FileReader, err error) {
	defer fsio.AddPath("open", path, &err)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		f, err := OpenFS(os.DirFS(path), opts...)
		if err != nil {
			return nil, err
		}
		return &FileReader{Reader: f}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := Open(file, info.Size(), opts...)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &FileReader{f, file}, nil
}

// Refresh returns a reader of the current frame, which another process may have
// extended or changed. It returns f if nothing has changed; f remains usable
// and keeps its state. Call Close once, on either.
func (f *FileReader) Refresh() (*FileReader, error) {
	r, err := f.Reader.Refresh(-1)
	if err != nil || r == f.Reader {
		return f, err
	}
	return &FileReader{r, f.file}, nil
}

// Close closes the file. No other method of the reader may be running.
func (f *FileReader) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// SealFile is like Seal, for the named file. With Uniform or ChunkSize a file whose
// chunks are not all of one size is compacted instead, which also seals it: see
// CompactFile.
func SealFile(path string, opts ...Option) error {
	return locked("seal", path, opts, func() error {
		various := false
		if newConfig(opts).recut.uniform {
			err := readFile(path, func(file *os.File, size int64) error {
				return eachFrame(file, size, opts, func(f *Reader) error {
					n, err := f.planSize(f.cfg.recut)
					various = various || n > 0
					return err
				})
			})
			if err != nil {
				return err
			}
		}
		if various {
			return compactFile(path, opts)
		}
		return change(path, func(file *os.File, size int64) error { return Seal(file, size, opts...) })
	})
}

// RenewFile is Renew for the named file.
func RenewFile(path string, opts ...Option) error {
	return locked("renew", path, opts, func() error {
		return change(path, func(file *os.File, size int64) error { return Renew(file, size, opts...) })
	})
}

// locked calls do while it holds the lock of the named file. It adds op and path to an
// error.
func locked(op, path string, opts []Option, do func() error) (err error) {
	defer fsio.AddPath(op, path, &err)
	unlock, err := LockFile(path, opts...)
	if err != nil {
		return err
	}
	defer unlock()
	return do()
}

// change opens a file for one change, and locks it.
func change(path string, do func(file *os.File, size int64) error) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return do(file, info.Size())
}

// A FileEditor is an Editor of a file that is locked against other writers.
type FileEditor struct {
	*Editor
	file *fsio.File
}

// EditFile opens the frame in the named file for changing: see Edit. It locks the file
// until Close. If another writer holds the lock, it waits as LockFile does.
func EditFile(path string, opts ...Option) (_ *FileEditor, err error) {
	defer fsio.AddPath("open", path, &err)
	var e *Editor
	file, err := fsio.Open(path, false, lockConfig(opts), func(file *os.File, size int64) (err error) {
		e, err = Edit(file, size, opts...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &FileEditor{e, file}, nil
}

// Close drops uncommitted changes, closes the file and releases the lock.
func (e *FileEditor) Close() error {
	if e.file == nil {
		return nil
	}
	err := errors.Join(e.Editor.Close(), e.file.Release(nil))
	e.file = nil
	return err
}

// LockFile takes the lock that C-Blosc2 3.2 and later take if locking is enabled. The
// lock is on the sidecar file path.b2lock, or .b2lock in the directory of a sparse frame
// (docs/format/frame.md §9), and if path is a symbolic link, also on that of the file. A
// hard link has a lock of its own. LockFile also counts the change in that file. While another
// writer holds the lock, LockFile waits up to DefaultLockWait, or as set by LockWait or
// Context. After that the error is an *fs.PathError that wraps blosc2.ErrLocked. If
// Context ended the wait, it also wraps the context's cause. LockFile polls at intervals
// of at most 50 ms, so there is no order among waiting writers.
//
// unlock releases the lock. The sidecar stays, as with C-Blosc2. It is removed only if
// this library created it, perhaps in a process that was killed, and no other program has
// used it or has it open. Whether another process has it open is known only on Linux.
func LockFile(path string, opts ...Option) (unlock func() error, err error) {
	return fsio.Lock(path, lockConfig(opts))
}

// CompactFile rewrites the frames in a file, one after the other: see Reader.Compact. The
// new file replaces the old one when it is complete. Flushed data of an open frame are
// kept. Uncommitted data after any other frame are dropped, unless RecoverTail is given:
// then they become part of the frame.
func CompactFile(path string, opts ...Option) error {
	return locked("compact", path, opts, func() error { return compactFile(path, opts) })
}

// compactFile does what CompactFile does. The caller holds the lock.
func compactFile(path string, opts []Option) error {
	cfg := newConfig(opts)
	if cfg.recover {
		err := change(path, func(file *os.File, size int64) error {
			_, _, err := reopen(file, size, opts...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return readFile(path, func(file *os.File, size int64) error {
		return fsio.Replace(path, func(dst *os.File) error {
			from, at := int64(0), int64(0)
			return eachFrame(file, size, opts, func(f *Reader) error {
				n, err := f.compact(part{dst, at}, cfg, from)
				from, at = from+f.FrameLen(), at+n
				return err
			})
		})
	})
}

// readFile opens a file for reading.
func readFile(path string, do func(file *os.File, size int64) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "%s is a sparse frame; must be a file", path)
	}
	return do(file, info.Size())
}

// ConcatFiles joins all frames in files and directories into one in a new file: see
// Concat. If out exists, the error is fs.ErrExist.
func ConcatFiles(out string, in []string, opts ...Option) error {
	if _, err := os.Lstat(out); err == nil {
		return &fs.PathError{Op: "create", Path: out, Err: fs.ErrExist}
	}
	var frames []*Reader
	var names []string // of the files and directories of frames
	for _, path := range in {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			f, err := OpenFS(os.DirFS(path), opts...)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			frames, names = append(frames, f), append(names, path)
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err == nil {
			err = eachFrame(file, info.Size(), opts, func(f *Reader) error {
				frames, names = append(frames, f), append(names, path)
				return nil
			})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return fsio.Replace(out, func(file *os.File) error { return concat(file, frames, names, opts) })
}

// RepairFile is like Repair. It reads the file in, and writes the file out, which must
// not exist.
func RepairFile(in, out string, opts ...Option) (_ *Repaired, err error) {
	defer fsio.AddPath("repair", in, &err)
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
		return nil, errors.New("the output of a repair must not be the damaged file")
	}
	var rep *Repaired
	err = fsio.Replace(out, func(file *os.File) error {
		rep, err = Repair(file, src, info.Size(), opts...)
		return err
	})
	return rep, err
}

// OSDir returns the named directory, for a sparse frame.
func OSDir(path string) Dir { return osDir{os.DirFS(path), path} }

type osDir struct {
	fs.FS
	path string
}

func (d osDir) WriteFile(name string, b []byte) error {
	return fsio.Replace(filepath.Join(d.path, name), func(file *os.File) error {
		_, err := file.Write(b)
		return err
	})
}

func (d osDir) Remove(name string) error { return os.Remove(filepath.Join(d.path, name)) }
