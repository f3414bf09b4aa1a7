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

func (s *memSink) WriteChunk(p []byte) (int, []byte, error) { return writeChunk(s, p) }
func (s *memSink) Patchable() bool                          { return true }
func (s *memSink) Release() error                           { return nil }
func (s *memSink) Close() error                             { return nil }
func (s *memSink) Discard()                                 {}

func (s *memSink) Patch(p []byte, off int64) error {
	at := s.base + int(off)
	n := copy(s.buf[at:], p)
	s.buf = append(s.buf, p[n:]...)
	return nil
}
