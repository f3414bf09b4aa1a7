package fsio

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriteBack makes the system write the n bytes at off to disk. The sync at the end
// returns any error.
func startWriteBack(file *os.File, off, n int64) {
	_ = unix.SyncFileRange(int(file.Fd()), off, n, unix.SYNC_FILE_RANGE_WRITE)
}
