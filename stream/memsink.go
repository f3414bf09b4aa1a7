package stream

// A memSink appends a frame to a slice.
type memSink struct {
	buf  []byte
	base int // index at which the frame begins
}

func (s *memSink) Write(p []byte) (int, error) {
	s.buf = append(s.buf, p...)
	return len(p), nil
}

// room returns the memory after the frame so far, of length 0, or nil if it has fewer than
// n bytes.
func (s *memSink) room(n int) []byte {
	if end := len(s.buf); cap(s.buf)-end >= n {
		return s.buf[end : end : end+n]
	}
	return nil
}

// WriteChunk appends p, which may already be there, in the memory that room returned.
func (s *memSink) WriteChunk(p []byte) (int, []byte, error) {
	if at := s.room(len(p)); at != nil && &at[:1][0] == &p[0] {
		s.buf = s.buf[:len(s.buf)+len(p)]
		return len(p), nil, nil
	}
	return writeChunk(s, p)
}

func (s *memSink) Patchable() bool { return true }
func (s *memSink) Release() error  { return nil }
func (s *memSink) Close() error    { return nil }
func (s *memSink) Discard()        {}

func (s *memSink) Patch(p []byte, off int64) error {
	at := s.base + int(off)
	n := copy(s.buf[at:], p)
	s.buf = append(s.buf, p[n:]...)
	return nil
}

// place makes the chunk of t be encoded in the caller's memory, if it is the next of a frame
// for Compress and fits, so that it need not be copied there. Nothing else may be written
// before that chunk, such as the end of a frame of a Conn.
func (w *Writer) place(t *task) error {
	t.into = nil
	s, ok := w.sink.(*memSink)
	if !ok || w.cfg.lent || w.coder.pending > 0 {
		return nil
	}
	if w.frame == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	t.into = s.room(roomFor(len(t.src)))
	return nil
}
