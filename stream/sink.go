package stream

import (
	"cmp"
	"io"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// A sink receives the bytes of a frame, front to back. Offsets count from the
// beginning of the frame.
type sink interface {
	// Write appends. It writes all of p or fails.
	Write(p []byte) (int, error)
	// WriteChunk appends a chunk, and may keep its memory: the caller continues
	// with spare instead.
	WriteChunk(p []byte) (n int, spare []byte, err error)
	// Patchable reports whether Patch works. After it has returned false, it
	// remains false.
	Patchable() bool
	// Patch overwrites the bytes at off.
	Patch(p []byte, off int64) error
	// Release writes the bytes that are held.
	Release() error
	// Close writes the bytes that are held and ends the sink. It does not close the
	// caller's writer.
	Close() error
	// Discard ends the sink and drops the bytes that are held.
	Discard()
}

// newSink returns the kind of sink that suits w, and begins a frame there. last
// is the previous sink, whose memory is reused, or nil.
func newSink(w io.Writer, spoolMemory int64, last *heldSink) sink {
	if s, ok := w.(*connSink); ok {
		return s
	}
	if spoolMemory >= 0 {
		return &spoolSink{w: w, spool: fsio.Spool{Limit: spoolMemory}}
	}
	if s := newPatchSink(w); s != nil {
		return s
	}
	if last == nil {
		last = new(heldSink)
	}
	last.reuse(w)
	return last
}

// writeChunk implements WriteChunk for a sink that keeps no memory.
func writeChunk(s sink, p []byte) (n int, spare []byte, err error) {
	n, err = s.Write(p)
	return n, p, err
}

// A patchSink can be written at any offset: a file, or similar.
type patchSink struct {
	w    io.Writer
	at   io.WriterAt
	base int64 // offset of the frame
}

// newPatchSink returns nil if w cannot be patched. It tries the methods: a pipe
// is an *os.File too, but cannot seek, and a file opened to append rejects
// positioned writes, even empty ones.
func newPatchSink(w io.Writer) *patchSink {
	s, ok := w.(io.Seeker)
	if !ok {
		return nil
	}
	base, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	at, ok := w.(io.WriterAt)
	if !ok {
		at = seekWriter{s, w}
	}
	if _, err := at.WriteAt(nil, base); err != nil {
		return nil
	}
	return &patchSink{w: w, at: at, base: base}
}

func (s *patchSink) Write(p []byte) (int, error)              { return fsio.WriteFull(s.w, p) }
func (s *patchSink) WriteChunk(p []byte) (int, []byte, error) { return writeChunk(s, p) }
func (s *patchSink) Patchable() bool                          { return true }
func (s *patchSink) Release() error                           { return nil }
func (s *patchSink) Close() error                             { return nil }
func (s *patchSink) Discard()                                 {}

func (s *patchSink) Patch(p []byte, off int64) error {
	return fsio.WriteAt(s.at, p, s.base+off)
}

// A committer is a sink with the methods of a file that commits require.
type committer interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// endsAt reports whether the sink ends with the frame, of size bytes.
func (s *patchSink) endsAt(size int64) bool {
	if _, ok := s.w.(*io.OffsetWriter); ok {
		return true
	}
	sk := s.w.(io.Seeker)
	here, err := sk.Seek(0, io.SeekCurrent)
	if err != nil {
		return false
	}
	end, err := sk.Seek(0, io.SeekEnd)
	if _, e := sk.Seek(here, io.SeekStart); err != nil || e != nil {
		return false
	}
	return end == s.base+size
}

// A seekWriter implements WriteAt by seeking to the offset and back.
type seekWriter struct {
	s io.Seeker
	w io.Writer
}

func (w seekWriter) WriteAt(p []byte, off int64) (n int, err error) {
	back, err := w.s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if _, err := w.s.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err = fsio.WriteFull(w.w, p)
	if _, e := w.s.Seek(back, io.SeekStart); err == nil {
		err = e
	}
	return n, err
}

// A spoolSink holds the whole frame until Close.
type spoolSink struct {
	w     io.Writer
	spool fsio.Spool
}

func (s *spoolSink) Write(p []byte) (int, error)              { return s.spool.Write(p) }
func (s *spoolSink) WriteChunk(p []byte) (int, []byte, error) { return writeChunk(s, p) }
func (s *spoolSink) Patchable() bool                          { return true }
func (s *spoolSink) Release() error                           { return nil }

func (s *spoolSink) Patch(p []byte, off int64) error {
	_, err := s.spool.WriteAt(p, off)
	return err
}

func (s *spoolSink) Discard() { s.spool.Close() }

func (s *spoolSink) Close() error {
	_, err := s.spool.WriteTo(s.w)
	return cmp.Or(err, s.spool.Close())
}
