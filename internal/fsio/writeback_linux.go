package fsio

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriteBack has the system write n bytes from off on to disk. An error shows up
// in the sync at the end.
func startWriteBack(file *os.File, off, n int64) {
	_ = unix.SyncFileRange(int(file.Fd()), off, n, unix.SYNC_FILE_RANGE_WRITE)
}
