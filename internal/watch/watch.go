// Package watch waits for changes of files that other goroutines or processes
// write: by notification if the system supports it, otherwise by polling.
package watch

import (
	"context"
	"errors"
	"os"
	"time"
)

const (
	// Every is the interval at which a Watch without notification polls by default.
	Every = 5 * time.Millisecond

	// lookEvery limits the wait for a notification, because a write by another
	// machine to a network file system causes none.
	lookEvery = time.Second
)

// A File is an open file that others may write.
type File struct {
	*os.File
	info os.FileInfo
}

// Open opens the file at a path. It returns nil if there is none. For a directory it
// returns errors.ErrUnsupported.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = &os.PathError{Op: "follow", Path: path, Err: errors.ErrUnsupported}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{file, info}, nil
}

// Size returns the current size of the file in bytes.
func (f *File) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Replaced reports whether path now names another file.
func (f *File) Replaced(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !os.SameFile(f.info, info)
}

// Sleep waits for d, or until ctx is done.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
