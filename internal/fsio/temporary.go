package fsio

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// temporary is the set of this process's temporary files.
var temporary temporaries

// A temporaries is a set of named files that must not outlive the process. The file is
// nil if it is not open, or somebody else closes it.
type temporaries struct {
	mu    sync.Mutex
	files map[string]*os.File
}

// KeepUntil registers a temporary file, which need not exist yet, for RemoveTemporary.
// The returned function removes the file, if there is one.
func KeepUntil(path string) (remove func() error) {
	temporary.mu.Lock()
	defer temporary.mu.Unlock()
	temporary.add(path, nil)
	return func() error {
		if err := temporary.remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
}

// RemoveTemporary removes the temporary files of all calls of Replace, and those of
// KeepUntil. It is for a program that a signal ends: other goroutines that begin or
// finish such a file block from then on.
func RemoveTemporary() {
	temporary.mu.Lock() // it is not unlocked: the program is about to end
	for name, file := range temporary.files {
		if file != nil {
			file.Close() // some systems do not remove open files
		}
		os.Remove(name)
	}
}

func (t *temporaries) add(name string, file *os.File) {
	if t.files == nil {
		t.files = make(map[string]*os.File)
	}
	t.files[name] = file
}

// create creates a new file and adds it to the set.
func (t *temporaries) create(name string, mode fs.FileMode) (*os.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		t.add(name, file)
	}
	return file, err
}

// rename renames a file to its final name.
func (t *temporaries) rename(name, final string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := os.Rename(name, final)
	if err == nil {
		delete(t.files, name)
	}
	return err
}

// remove removes a file from the folder and from the set.
func (t *temporaries) remove(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, name)
	return os.Remove(name)
}
