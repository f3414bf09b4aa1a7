//go:build !linux

package main

import (
	"io"
	"os"
)

// A writeBack is a file that is written normally on this system.
type writeBack struct{ *os.File }

// skip leaves a hole of n bytes.
func (w *writeBack) skip(n int64) error {
	_, err := w.Seek(n, io.SeekCurrent)
	return err
}
