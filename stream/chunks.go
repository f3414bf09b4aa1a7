package stream

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// A chunkSource returns the stored chunks of a stream, frame after frame, front
// to back or by the index. It belongs to one goroutine.
type chunkSource interface {
	// Header returns the header of the first frame, reading it if necessary.
	Header() (*header.Header, error)
	// Next returns the next chunk, read into buf if it fits. After the last one
	// the error is io.EOF.
	Next(buf []byte) (frame.Item, error)
	// Shared reports whether the last chunk may be memory of the source, which must
	// not be changed.
	Shared() bool
	// Pos returns the number of bytes of the frames so far.
	Pos() int64
	// VLMeta returns the vlmetalayers of the current frame. ok is false until
	// the end of the frame, unless it is read by its index.
	VLMeta() (layers []meta.Layer, ok bool, err error)
	// Trailing returns the bytes after the last frame, after io.EOF; nil if
	// there are none.
	Trailing() io.Reader
	// After returns, after io.EOF, an error that wraps blosc2.ErrTrailing if the bytes of
	// Trailing are not allowed after the stream.
	After() error
	// Close releases the chunkSource's resources; it does not close the source.
	Close() error
}

// A walkSource reads from a source that cannot seek. Frames that cannot be walked
// are spooled.
type walkSource struct {
	cfg    *readerConfig
	r      io.Reader
	walker *frame.Walker
	spool  fsio.Spool // holds the frame that cursor reads
	index  *frame.Reader
	cursor *cursor
	toEnd  bool // the spooled frame is the last
	atEnd  bool // the walker is at its end
}

func newWalkSource(r io.Reader, cfg *readerConfig) *walkSource {
	opts := []frame.Option{frame.WithLimits(cfg.limits)}
	if cfg.single {
		opts = append(opts, frame.SingleFrame())
	}
	w := frame.NewWalker(r, opts...)
	framing.LendTo(w, cfg.lend)
	return &walkSource{cfg: cfg, r: r, walker: w, spool: fsio.Spool{Limit: cfg.spoolMemory}}
}

// reset begins another stream and reuses the memory.
func (s *walkSource) reset(r io.Reader) {
	s.walker.Reset(r)
	*s = walkSource{cfg: s.cfg, r: r, walker: s.walker, spool: fsio.Spool{Limit: s.cfg.spoolMemory}}
}

func (s *walkSource) Pos() int64   { return s.walker.Pos() }
func (s *walkSource) Close() error { return s.spool.Close() }
func (s *walkSource) Shared() bool { return false }

func (s *walkSource) Header() (*header.Header, error) {
	h, err := s.walker.Header()
	if errors.Is(err, blosc2.ErrNotSequential) && !s.cfg.noSpool {
		err = nil
		// Only the index shows how many rows an unsealed array has.
		if _, array := h.Layer(meta.B2NDName); array && s.walker.Open() && s.index == nil {
			err = s.open()
		}
	}
	return h, err
}

func (s *walkSource) VLMeta() (layers []meta.Layer, ok bool, err error) {
	if s.index != nil {
		layers, err = s.index.VLMetalayers()
	} else if s.atEnd {
		layers, err = s.walker.VLMeta()
	}
	return layers, s.index != nil || s.atEnd, err
}

func (s *walkSource) After() error { return s.walker.After() }

func (s *walkSource) Trailing() io.Reader {
	if b := s.walker.Trailing(); b != nil {
		return io.MultiReader(bytes.NewReader(b), s.r)
	}
	return nil
}

func (s *walkSource) Next(buf []byte) (frame.Item, error) {
	for {
		if s.cursor != nil {
			it, err := s.cursor.next(buf)
			if err != io.EOF {
				return it, err
			}
			s.cursor = nil
			if s.index.Open() && s.index.FrameLen() < s.spool.Size() {
				return it, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTrailing, "another frame follows one that its writer has not closed; seal that, or read the file itself")
			}
			if e := s.spool.Close(); e != nil || s.toEnd {
				return it, cmp.Or(e, err)
			}
			s.walker.Resume()
		}
		it, err := s.walker.Next(buf)
		if s.atEnd = err == io.EOF; err == nil {
			s.index = nil
		}
		if s.cfg.noSpool || !errors.Is(err, blosc2.ErrNotSequential) {
			return it, err
		}
		if err := s.open(); err != nil {
			return it, err
		}
	}
}

// open spools a frame that the walker cannot read, and opens it.
func (s *walkSource) open() error {
	h, _ := s.walker.Header()
	if err := s.fill(h); err != nil {
		return err
	}
	f, err := frame.Open(&s.spool, s.spool.Size(), frame.WithLimits(s.cfg.limits))
	if err != nil {
		return err
	}
	s.index, s.cursor = f, &cursor{f: f}
	return nil
}

// fill spools the frame whose header was read. Headers of August 2019 do not always state
// the frame's length, and those of unsealed frames never do. Such a frame is treated as
// the remaining bytes of the source.
func (s *walkSource) fill(h *header.Header) error {
	raw := s.walker.RawHeader()
	size := int64(h.FrameLen)
	s.toEnd = h.Generation == header.Layout2019 || h.Generation == header.Layout2019Trailer || s.walker.Open()
	switch total := s.cfg.spoolTotal; {
	case size < int64(len(raw)) && !s.walker.Open():
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "invalid frame length %d with a header of %d bytes", h.FrameLen, len(raw))
	case total > 0 && size > total:
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge, "spooling a frame of %d bytes; the limit is %d", size, total)
	case s.toEnd && total > 0:
		size = total
	case s.toEnd:
		size = math.MaxInt64
	}
	if _, err := s.spool.Write(raw); err != nil {
		return err
	}
	_, err := io.CopyN(&s.spool, s.r, size-int64(len(raw)))
	if err == io.EOF && s.toEnd {
		err = nil
	}
	if err == io.EOF {
		err = blosc2.Errorf(blosc2.PartHeader, io.ErrUnexpectedEOF, "truncated frame: has %[2]d of %[1]d bytes", size, s.spool.Size())
	}
	return err
}

// A frameSource reads one frame that is already open.
type frameSource struct {
	ctx    context.Context
	f      *frame.Reader
	cursor *cursor
	pos    int64
}

func (s *frameSource) Header() (*header.Header, error) { return s.f.Header(), nil }
func (s *frameSource) Pos() int64                      { return s.pos }
func (s *frameSource) Shared() bool                    { return false }
func (s *frameSource) Trailing() io.Reader             { return nil }
func (s *frameSource) After() error                    { return nil }
func (s *frameSource) Close() error                    { s.cursor.close(); return nil }

func (s *frameSource) VLMeta() (layers []meta.Layer, ok bool, err error) {
	layers, err = s.f.VLMetalayers()
	return layers, true, err
}

func (s *frameSource) Next(buf []byte) (frame.Item, error) {
	if s.pos == 0 {
		s.cursor.readAhead(s.ctx)
	}
	it, err := s.cursor.next(buf)
	s.pos += int64(len(it.Chunk))
	return it, err
}
