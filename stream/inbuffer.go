package stream

import "bytes"

// keptHead and keptTail are the numbers of bytes that an inBuffer compares at the
// beginning and at the end of the frame.
const (
	keptHead = 512 // longer than a header without long metalayers
	keptTail = 64  // longer than what two writes are likely to have in common
)

// An inBuffer is a frame in a bytes.Buffer. A bytes.Buffer has no WriteAt, but the bytes
// of a frame can be overwritten as long as all of them are in the buffer, at their
// original place. If the caller reads from the buffer, truncates it or writes to it
// before Close, the frame is no longer changed, and remains unsealed as on a pipe.
type inBuffer struct {
	buf  *bytes.Buffer // nil without a buffer, or if the frame is no longer in it
	base int           // unread bytes before the frame
	size int           // length of the frame
	head []byte        // the first bytes of the frame
	tail []byte        // the last bytes of the frame
}

// begin begins a frame at the end of buf, which may be nil.
func (m *inBuffer) begin(buf *bytes.Buffer) {
	*m = inBuffer{buf: buf, head: m.head[:0], tail: m.tail[:0]}
	if buf != nil {
		m.base = buf.Len()
	}
}

// wrote records that p was written to the buffer.
func (m *inBuffer) wrote(p []byte) {
	if m.buf == nil || len(p) == 0 {
		return
	}
	m.size += len(p)
	m.head = append(m.head, p[:min(len(p), keptHead-len(m.head))]...)
	m.tail = append(m.tail[:0], p[max(len(p)-keptTail, 0):]...)
}

// bytes returns the frame, or nil if it is no longer in the buffer unchanged.
func (m *inBuffer) bytes() []byte {
	if m.buf == nil {
		return nil
	}
	if b := m.buf.Bytes(); len(b) == m.base+m.size && bytes.HasPrefix(b[m.base:], m.head) && bytes.HasSuffix(b[m.base:], m.tail) {
		return b[m.base:]
	}
	m.buf = nil
	return nil
}

// patch overwrites the bytes at off, and appends those beyond the end.
func (m *inBuffer) patch(p []byte, off int) {
	b := m.bytes()
	if b == nil {
		return
	}
	n := copy(b[off:], p)
	if off < len(m.head) {
		copy(m.head[off:], p)
	}
	m.tail = append(m.tail[:0], b[max(len(b)-len(m.tail), 0):]...)
	m.buf.Write(p[n:])
	m.wrote(p[n:])
}
