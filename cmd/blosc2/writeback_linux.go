package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A writeBack is a file whose bytes begin to go to the disk while more are
// made, so that little is left to wait for when it is synced at the end.
type writeBack struct {
	*os.File
	begun, end int64 // where the disk is at, and the file
}

// writeBackEvery is how many bytes are begun with at a time. To wait for a
// megabyte that was begun with in quarters takes half as long as for one that
// was not.
const writeBackEvery = 1 << 18

func (w *writeBack) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	w.end += int64(n)
	if w.end-w.begun >= writeBackEvery {
		// Whether this works or not, the sync at the end tells.
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
