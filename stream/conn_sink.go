package stream

import (
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// connPending is the number of bytes that a connSink collects before it writes: one
// record of TLS (RFC 8446, 5.1).
const connPending = 16 << 10

// A connSink is the sink of a connection, which cannot be patched. It holds back only
// bytes that are written together with the next chunk.
type connSink struct {
	w       io.Writer
	pending []byte // memory borrowed from the pools
}

func (s *connSink) Write(p []byte) (int, error) {
	if len(s.pending)+len(p) > connPending {
		if err := s.Release(); err != nil {
			return 0, err
		}
		return fsio.WriteFull(s.w, p)
	}
	if need := len(s.pending) + len(p); cap(s.pending) < need {
		b := append(borrow(need), s.pending...)
		giveBack(s.pending)
		s.pending = b
	}
	s.pending = append(s.pending, p...)
	return len(p), nil
}

// WriteChunk writes the pending bytes and the chunk.
func (s *connSink) WriteChunk(p []byte) (n int, spare []byte, err error) {
	if len(s.pending) == 0 {
		n, err = fsio.WriteFull(s.w, p)
		return n, p, err
	}
	if n, err = s.Write(p); err == nil {
		err = s.Release()
	}
	return n, p, err
}

func (s *connSink) Release() error {
	if len(s.pending) == 0 {
		return nil
	}
	b := s.pending
	s.pending = nil
	_, err := fsio.WriteFull(s.w, b)
	giveBack(b)
	return err
}

// FlushError flushes a connection that has a buffer: see flushTo.
func (s *connSink) FlushError() error { return flushTo(s.w) }

func (s *connSink) Patchable() bool           { return false }
func (s *connSink) Patch([]byte, int64) error { return errors.ErrUnsupported }
func (s *connSink) Close() error              { return s.Release() }
func (s *connSink) Discard()                  { giveBack(s.pending); s.pending = nil }
