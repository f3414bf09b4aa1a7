package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2/header"
)

// endOfOpen returns the end of an open frame, which is the beginning of another frame
// after it, or the end of the source. The writer of an open frame leaves unused bytes
// after it, so bytes that only begin like a frame are not treated as one.
func (f *Reader) endOfOpen() int64 {
	known := int64(len(f.raw))
	if p := f.progress; p != nil {
		known = max(p.next, p.tail.end)
		if p.short != nil {
			known = max(known, p.short.end)
		}
		if p.open != nil {
			known = max(known, p.open.at+openData+int64(p.open.size))
		}
	}
	for at := known; ; at++ {
		if at = find(f.src, at, f.size, []byte(Magic)); at < 0 {
			return f.size
		}
		if !f.isCopy(at) && f.isFrame(at) {
			return at
		}
	}
}

// isCopy reports whether the bytes at offset at are the copy of a header that a commit
// has written: see writeHeader.
func (f *Reader) isCopy(at int64) bool {
	rec, ok := readRecord(f.src, at-recordLen)
	return ok && rec.kind == kindHeader
}

// isFrame reports whether bytes that begin like a frame are one. They are if the lengths
// of frames lead from one frame to the next until the end of the source, or to an
// unsealed frame whose header has the right digest. The copies of headers from commits
// are sealed, and their lengths lead to neither.
func (f *Reader) isFrame(at int64) bool {
	for at < f.size {
		b := make([]byte, min(f.size-at, firstRead))
		n, err := f.src.ReadAt(b, at)
		if err != nil && err != io.EOF {
			return false
		}
		b = b[:n]
		if n, err = header.Size(b); err != nil || n > len(b) {
			return false
		}
		h, err := header.Parse(b[:n])
		switch {
		case err != nil:
			return false
		case h.FrameLen == 0:
			_, _, ok := checkedHeader(b)
			return ok
		case h.FrameLen < uint64(n) || h.FrameLen > uint64(f.size-at):
			return false
		}
		at += int64(h.FrameLen)
	}
	return true
}
