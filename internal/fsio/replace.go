package fsio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Replace atomically replaces the named file: write writes a new file in the same
// folder, which then replaces the old one, if any. The new file is synced when Replace
// returns. If write fails or panics, the new file is removed and the old one remains.
// It is removed by RemoveTemporary too.
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
	returned := false
	defer func() {
		if !returned { // write has panicked
			file.Close()
			_ = temporary.remove(file.Name())
		}
	}()
	err = write(file)
	returned = true
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, temporary.remove(file.Name()))
	}
	if err := temporary.rename(file.Name(), path); err != nil {
		return errors.Join(err, temporary.remove(file.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// newBeside creates a new file in the folder of path.
func newBeside(path string, mode os.FileMode) (*os.File, error) {
	for n := os.Getpid(); ; n++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), n))
		file, err := temporary.create(name, mode)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// syncDir syncs a rename, if the system supports that.
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
