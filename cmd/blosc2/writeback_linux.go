package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A writeBack is a file whose bytes are written back to disk while it is written,
// so that the sync at the end takes little time.
type writeBack struct {
	*os.File
	begun, end int64 // ends of the bytes whose write-back has started, and of the file
}

// writeBackEvery is the number of bytes whose write-back is started at a time. The
// sync of a megabyte started in quarters takes half as long as without.
const writeBackEvery = 1 << 18

func (w *writeBack) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	w.end += int64(n)
	if w.end-w.begun >= writeBackEvery {
		// An error shows up in the sync at the end.
		_ = unix.SyncFileRange(int(w.Fd()), w.begun, w.end-w.begun, unix.SYNC_FILE_RANGE_WRITE)
		w.begun = w.end
	}
	return n, err
}

// skip leaves a hole of n bytes.
func (w *writeBack) skip(n int64) error {
	_, err := w.Seek(n, io.SeekCurrent)
	w.end += n
	return err
}
