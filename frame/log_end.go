package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2/header"
)

// endOfOpen is where an open frame ends: where another frame follows that was put
// after it, else the end of the source. The writer of an open frame leaves bytes
// after it that mean nothing, so another one is recognised by all that can be
// known of it.
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

// isCopy reports whether what is at a place is the copy of a header that a
// commit left: see writeHeader.
func (f *Reader) isCopy(at int64) bool {
	var b [recordLen]byte
	n, _ := f.src.ReadAt(b[:], at-recordLen)
	rec, ok := parseRecord(b[:n])
	return ok && rec.kind == kindHeader
}

// isFrame reports whether what begins like a frame at a place is one: its length
// leads, from frame to frame, to the end of the source or to an unsealed one,
// whose header has the right digest. The copies of headers that commits leave are
// sealed, and their lengths lead nowhere.
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
