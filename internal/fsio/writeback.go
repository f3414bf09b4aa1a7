package fsio

import (
	"io"
	"os"
)

// A WriteBack is a file that is written sequentially. If the system supports that,
// its bytes are written back to disk meanwhile, so that the sync at the end takes
// little time.
type WriteBack struct {
	*os.File
	begun, end int64 // end of the bytes for which write-back has started, and end of the file
}

// writeBackEvery is the number of bytes for which write-back is started at a time.
// If write-back of a megabyte is started in quarters, its sync takes half as long.
const writeBackEvery = 1 << 18

// Write writes p to the file, and may start write-back.
func (w *WriteBack) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	w.Wrote(int64(n))
	return n, err
}

// Wrote counts n bytes that were written in another way.
func (w *WriteBack) Wrote(n int64) {
	if w.end += n; w.end-w.begun >= writeBackEvery {
		startWriteBack(w.File, w.begun, w.end-w.begun)
		w.begun = w.end
	}
}

// Skip leaves a hole of n bytes.
func (w *WriteBack) Skip(n int64) error {
	_, err := w.Seek(n, io.SeekCurrent)
	w.end += n
	return err
}
