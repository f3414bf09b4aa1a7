package stream

import (
	"errors"
	"io"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/ranges"
)

// A seekSource reads from a source that can be read at any offset: sealed frames by
// their index, unsealed and torn ones front to back.
type seekSource struct {
	cfg    *readerConfig
	r      io.ReaderAt
	base   int64            // offset of the stream
	start  int64            // offset of the current frame, relative to base
	size   int64            // bytes of the source from base on
	rest   io.SectionReader // the source from start on
	h      *header.Header
	walker *frame.Walker // for the current frame, if it is read front to back
	index  *frame.Reader // for the current frame, if it is read by its index
	cursor cursor
	pos    int64
	prev   frame.Item // the previous chunk, without its bytes
	last   bool       // no frame follows the current one
	after  error      // error about the bytes after the current frame

	front  *frame.Walker // reused for walker
	reader *frame.Reader // reused for index

	ahead *ranges.Sequential // for a remote source: read by walker

	memory []byte // contents of r, if it reads a slice
	shared bool   // the last chunk is part of memory
}

// reset begins another stream and reuses the memory.
func (s *seekSource) reset(cfg *readerConfig, r io.ReaderAt, base, size int64) {
	*s = seekSource{cfg: cfg, r: r, base: base, size: size, front: s.front, reader: s.reader}
	if s.reader == nil {
		s.reader = frame.NewReader(frame.WithLimits(cfg.limits), frame.SealedOnly())
	}
}

// forget drops the memory of the source.
func (s *seekSource) forget() {
	s.memory = nil
	if s.reader != nil {
		framing.InMemory(s.reader, nil)
	}
}

func (s *seekSource) Pos() int64   { return s.pos }
func (s *seekSource) Close() error { return s.closeFar() }
func (s *seekSource) Shared() bool { return s.shared }

func (s *seekSource) Header() (*header.Header, error) {
	if s.h == nil {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	return s.h, nil
}

func (s *seekSource) VLMeta() (layers []meta.Layer, ok bool, err error) {
	if s.index != nil {
		layers, err = s.index.VLMetalayers()
	} else if s.last {
		layers, err = s.walker.VLMeta()
	}
	return layers, s.index != nil || s.last, err
}

func (s *seekSource) After() error { return s.after }

func (s *seekSource) Trailing() io.Reader {
	if !s.last || s.start >= s.size {
		return nil
	}
	return io.NewSectionReader(s.r, s.base+s.start, s.size-s.start)
}

// resized sets the size of the source, and reports whether it was another one: a writer has
// extended or truncated the file.
func (s *seekSource) resized() bool {
	was := s.size
	if now, ok := fsio.Size(s.r); ok {
		s.size = max(now-s.base, s.start)
	}
	return s.size != was
}

// open begins the frame at start.
func (s *seekSource) open() error {
	s.rest = *io.NewSectionReader(s.r, s.base+s.start, s.size-s.start)
	switch err := s.reader.Reset(&s.rest, s.rest.Size()); {
	case errors.Is(err, io.ErrUnexpectedEOF) && s.resized():
		return s.open()
	case err == frame.ErrUnsealed:
		if s.front == nil {
			s.front = frame.NewWalker(nil, frame.WithLimits(s.cfg.limits), frame.SingleFrame())
		}
		s.walkFar()
		s.front.Reset(&s.rest)
		h, err := s.front.Header()
		if err != nil {
			return err
		}
		s.h, s.walker, s.index = h, s.front, nil
	case err != nil:
		return err
	default:
		s.h, s.walker, s.index, s.cursor, s.prev = s.reader.Header(), nil, s.reader, cursor{f: s.reader}, frame.Item{N: -1}
		s.cursor.readAhead(s.cfg.ctx)
		if s.memory != nil {
			framing.InMemory(s.index, s.memory[s.base+s.start:])
		}
	}
	return nil
}

func (s *seekSource) Next(buf []byte) (it frame.Item, err error) {
	for {
		if _, err := s.Header(); err != nil {
			return it, err
		}
		if s.last {
			return it, io.EOF
		}
		var end int64
		s.shared = s.memory != nil && s.walker == nil
		if s.walker != nil {
			it, err = s.walker.Next(buf)
			end = s.walker.Pos()
		} else {
			it, err = s.indexed(buf)
			end = s.index.FrameLen()
		}
		if err != io.EOF {
			s.pos = s.start + end
			if err == nil && s.walker == nil && it.Offset >= 0 {
				s.pos = s.start + it.Offset + int64(len(it.Chunk))
			}
			if it.Offset >= 0 {
				it.Offset += s.start
			}
			return it, err
		}
		if err := s.following(end); err != nil {
			return it, err
		}
	}
}

// following examines the bytes after the current frame, which is end bytes
// long.
func (s *seekSource) following(end int64) error {
	s.start += end
	s.pos = s.start
	s.closeFar()
	// Read what follows only if there are bytes after the frame.
	if s.last = s.cfg.single || s.start >= s.size; s.last {
		return nil
	}
	next, err := frame.Follows(s.h, io.NewSectionReader(s.r, 0, s.base+s.size), s.base+s.start)
	if fe := (*blosc2.FormatError)(nil); errors.As(err, &fe) && fe.Err == blosc2.ErrTrailing {
		fe.Offset -= s.base
		if s.index == nil || !framing.HeaderChanged(s.index) { // otherwise a writer has continued the frame there
			s.after = fe
		}
		err = nil
	}
	if s.last = !next; s.last || err != nil {
		return err
	}
	return s.open()
}

// patience is how long to try to read a chunk that a writer keeps replacing, in a frame
// whose header may be half written.
const patience = 5 * time.Second

// indexed returns the next chunk of a frame that is read by its index. If the
// writer has replaced that chunk, the frame is refreshed.
func (s *seekSource) indexed(buf []byte) (it frame.Item, err error) {
	var start time.Time // of the first attempt that failed
	for {
		it, err = s.cursor.next(buf)
		if err == nil {
			it.Header = s.h
			s.prev = it
			s.prev.Chunk = nil
		}
		if !errors.Is(err, blosc2.ErrChanged) {
			return it, err
		}
		if start.IsZero() {
			start = time.Now()
		}
		switch again, same := s.refresh(); {
		case !same || time.Since(start) > patience:
			return it, err
		case !again:
			time.Sleep(time.Millisecond)
		}
	}
}

// refresh sets s.index to the current frame. again is false if that cannot be read now,
// and same is false if it does not continue the chunks that were returned.
func (s *seekSource) refresh() (again, same bool) {
	size, ok := fsio.Size(s.r)
	if !ok {
		return false, false
	}
	size -= s.base
	s.rest = *io.NewSectionReader(s.r, s.base+s.start, max(size, s.size)-s.start) // s.index and now read it
	now, err := s.index.Refresh(max(size-s.start, 0))
	if err != nil {
		return false, true
	}
	if now.NumChunks() <= s.prev.N || now.Header().TypeSize != s.h.TypeSize || now.Header().ChunkSize != s.h.ChunkSize {
		return false, false
	}
	if n := s.prev.N; n >= 0 { // the writer may have dropped bytes
		it, err := now.Item(nil, n)
		if err != nil {
			return false, errors.Is(err, blosc2.ErrChanged)
		}
		if !it.Checked || !s.prev.Checked || it.Digest != s.prev.Digest || it.NBytes != s.prev.NBytes {
			return false, false
		}
	}
	s.cursor.close()
	s.size, s.index, s.cursor = size, now, cursor{f: now, n: s.prev.N + 1}
	s.cursor.readAhead(s.cfg.ctx)
	return true, true
}
