package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A holeReader reads a file. It does not read the file's holes from the system, which
// would copy their zeros through the page cache.
type holeReader struct {
	file       *os.File
	at, size   int64
	data, hole int64 // the next data at or after at, and the first hole after these data
}

// withHoles returns a reader of a file of the given size, from its current offset.
func withHoles(f *os.File, size int64) io.Reader {
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return f
	}
	return &holeReader{file: f, at: at, size: size, data: at, hole: at}
}

// Read implements io.Reader. It does not read bytes that are appended to the file after
// withHoles was called.
func (h *holeReader) Read(p []byte) (int, error) {
	if h.at >= h.size {
		return 0, io.EOF
	}
	if h.at >= h.hole {
		h.look()
	}
	p = p[:min(int64(len(p)), h.size-h.at)]
	if h.at < h.data {
		p = p[:min(int64(len(p)), h.data-h.at)]
		clear(p)
		h.at += int64(len(p))
		return len(p), nil
	}
	p = p[:min(int64(len(p)), h.hole-h.at)]
	n, err := h.file.ReadAt(p, h.at)
	h.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// look sets data and hole: the next data, and the first hole after these data.
func (h *holeReader) look() {
	fd := int(h.file.Fd())
	h.data, h.hole = h.size, h.size
	data, err := unix.Seek(fd, h.at, unix.SEEK_DATA)
	switch {
	case err == unix.ENXIO: // no data follows, only a hole
		return
	case err != nil:
		h.data = h.at
		return
	}
	h.data = min(data, h.size)
	if hole, err := unix.Seek(fd, data, unix.SEEK_HOLE); err == nil {
		h.hole = min(max(hole, data+1), h.size)
	}
}
