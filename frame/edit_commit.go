package frame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// sector is the unit that disks write atomically, even if the power fails.
const sector = 512

// writeHeader writes a new header, from Builder.AppendSealed, over the old one of the
// frame that begins at base. The frame then ends at base+frameLen, which is also the end
// of the file. The header makes the bytes written after the old frame part of the new
// one. So these are synced before the header is written, and the header is synced after
// that.
//
// A header within one sector is replaced atomically. For a longer one, a copy is first
// written after the frame. If the power fails, the next opening of the frame completes
// the write from that copy.
//
// sync is file.Sync, unless the header need not survive a power failure.
func writeHeader(file interface {
	io.WriterAt
	Truncate(size int64) error
}, sync func() error, base int64, head []byte, frameLen int64) error {
	inOne := base%sector+int64(len(head)) <= sector
	if !inOne {
		if err := fsio.WriteAt(file, appendCopy(nil, head), base+frameLen); err != nil {
			return err
		}
		if err := sync(); err != nil {
			return err
		}
	}
	if err := replace(file, head, base); err != nil {
		return err
	}
	if err := sync(); err != nil || inOne {
		return err
	}
	return file.Truncate(base + frameLen)
}

// replace overwrites a header. If the write fails halfway, it restores the old header as
// far as possible. On a disk that does not happen to a header within a sector, but it may
// in other files.
func replace(file io.WriterAt, head []byte, base int64) error {
	old := make([]byte, len(head))
	r, ok := file.(io.ReaderAt)
	if ok {
		n, err := r.ReadAt(old, base)
		ok = err == nil && n == len(old)
	}
	err := fsio.WriteAt(file, head, base)
	if err != nil && ok {
		if again := fsio.WriteAt(file, old, base); again != nil {
			err = errors.Join(err, again)
		}
	}
	return err
}

// appendCopy appends the copy of a header: its bytes after a record with their digest.
// Because of the record the copy does not look like a frame.
func appendCopy(dst, head []byte) []byte {
	return append(record{kind: kindHeader, value: framing.Digest(head)}.append(dst), head...)
}

// findCopy returns the copy of a header at the end of a source that begins with the bytes
// first. It returns nil if there is no complete copy, if the copy does not belong to the
// frame before it, or if it is longer than limit. scratch is memory for a record.
func findCopy(r io.ReaderAt, first []byte, size, limit int64, scratch []byte) []byte {
	if len(first) < header.MinPrefix || string(first[:len(Magic)]) != Magic {
		return nil
	}
	if binary.BigEndian.Uint64(first[16:]) == uint64(size) {
		return nil // nothing follows the frame
	}
	// The length of a header never changes, so the length in the damaged header is right.
	headerLen := int64(int32(binary.BigEndian.Uint32(first[11:])))
	for _, after := range []int64{recordLen, 0} { // the copy is the header with its record, or alone
		n := headerLen + after
		at := size - n - recordLen
		if n < header.MinLen || n > limit || at < n {
			continue
		}
		b := scratch[:recordLen]
		if got, _ := r.ReadAt(b, at); got < len(b) {
			continue
		}
		rec, ok := parseRecord(b)
		if !ok || rec.kind != kindHeader {
			continue
		}
		head := make([]byte, n)
		if got, _ := r.ReadAt(head, at+recordLen); int64(got) < n || rec.value != framing.Digest(head) {
			continue
		}
		h, err := header.Parse(head)
		if err != nil || int64(h.Len()) != headerLen {
			continue
		}
		m, err := readMark(h)
		if h.FrameLen == uint64(at) || err == nil && m.open && h.FrameLen < uint64(at) {
			return head
		}
	}
	return nil
}

// An overlay is a source whose first bytes are replaced by others.
type overlay struct {
	head []byte
	r    io.ReaderAt
}

func (o overlay) ReadAt(p []byte, off int64) (n int, err error) {
	if off < int64(len(o.head)) {
		n = copy(p, o.head[off:])
	}
	if n == len(p) {
		return n, nil
	}
	k, err := o.r.ReadAt(p[n:], off+int64(n))
	return n + k, err
}

// finish completes a commit that was interrupted while the header was written. It returns
// the new size of the file.
func finish(file File, size int64) (int64, error) {
	first := make([]byte, min(size, header.MinPrefix))
	if _, err := file.ReadAt(first, 0); err != nil && err != io.EOF {
		return size, err
	}
	head := findCopy(file, first, size, defaultLimits.Header, make([]byte, recordLen))
	if head == nil {
		return size, nil
	}
	end := size - int64(len(head)) - recordLen
	have := make([]byte, len(head))
	if _, err := file.ReadAt(have, 0); err != nil {
		return size, err
	}
	if !bytes.Equal(have, head) {
		if err := fsio.WriteAt(file, head, 0); err != nil {
			return size, err
		}
		if err := file.Sync(); err != nil {
			return size, err
		}
	}
	return end, file.Truncate(end)
}

// cutTail cuts off chunks after a frame that were never committed. It returns an error if
// other bytes follow, including another frame.
func cutTail(file File, h *header.Header, end, size int64) error {
	if size <= end {
		return nil
	}
	if follows, err := Follows(h, io.NewSectionReader(file, 0, size), end); err != nil {
		return err
	} else if follows {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "appending to a frame that another one follows")
	}
	if err := file.Truncate(end); err != nil {
		return err
	}
	return file.Sync()
}
