package stream

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/internal/workpool"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Reader reads the data of frames. It is for one goroutine at a time, but Close
// may be called by another to interrupt it. Errors are sticky, the earliest in the
// stream is returned, and every byte returned before it is valid. A Reader that has
// reached the end or returned an error need not be closed.
//
// A source that is not a frame results in blosc2.ErrNotBlosc2; one that is empty
// or ends within a frame results in io.ErrUnexpectedEOF. Other bytes after the
// last frame result in blosc2.ErrTrailing, after all data: see AllowTrailing.
//
// A Reader may read an *os.File while it is written, at least to the end of the data
// flushed when it began. It returns blosc2.ErrChanged if the writer drops bytes that were
// returned.
//
// # The end of a stream
//
// Consecutive frames are one stream. Anything else after the last one results in
// blosc2.ErrTrailing, after all data were read, because it may be a frame with a
// damaged beginning; AllowTrailing treats it as the end. Uncommitted data of a
// writer of the same file are not an error. A source that is not a frame at all
// results in blosc2.ErrNotBlosc2.
type Reader struct {
	cfg readerConfig

	mu     sync.Mutex // held by every method, but by Close only if no Read is blocked
	input  *stoppable // nil if the source can be read at any offset
	src    chunkSource
	dec    *decoder
	unhook func() bool // ends the watch of the caller's context; nil without a context

	// These hold memory for src and input, reused after a Reset. spare is nil after
	// a goroutine that may still use it was abandoned.
	seek  seekSource
	spare *walkSource
	probe [1]byte

	h      *header.Header // header of the frame that holds the last chunk
	data   []byte         // decoded bytes that were not returned yet
	vlmeta vlmeta
	err    error
	closed atomic.Bool
	fixed  bool // the Reader has opened its source, a file, and cannot be reset
	stats  figures
	pool   atomic.Pointer[workpool.Pool[piece]] // a decoding goroutine exists, so a blocked Read can be woken
}

type vlmeta struct {
	layers []meta.Layer
	known  bool
	err    error
}

// NewReader returns a Reader of the frames in r, from the current offset of r, if
// it has one. It does not read yet. Invalid options return a *blosc2.OptionError.
func NewReader(r io.Reader, opts ...ReaderOption) (*Reader, error) {
	if r == nil {
		return nil, errNoSource
	}
	zr, err := newReader(readerOptions(opts))
	if err != nil {
		return nil, err
	}
	zr.init(r)
	return zr, nil
}

var errNoSource = &blosc2.OptionError{Option: "source", Value: nil, Range: "an io.Reader"}

// FromFrame returns a Reader of an open frame, such as a sparse one, in which each
// chunk is a file.
func FromFrame(f *frame.Reader, opts ...ReaderOption) (*Reader, error) {
	if err := framing.Need(f != nil, "frame", "an open frame"); err != nil {
		return nil, err
	}
	zr, err := newReader(readerOptions(opts))
	if err != nil {
		return nil, err
	}
	zr.begin(&frameSource{ctx: zr.cfg.ctx, f: f, cursor: &cursor{f: f}}, nil)
	return zr, nil
}

func newReader(cfg readerConfig) (*Reader, error) {
	r := &Reader{cfg: cfg, dec: new(decoder)}
	r.dec.started = r.decoding
	return r, cfg.check()
}

// init determines how src can be read.
func (r *Reader) init(src io.Reader) {
	if at, off, size, ok := place(src, r.probe[:]); ok {
		r.seek.reset(&r.cfg, at, off, size)
		switch r.begin(&r.seek, nil); src.(type) {
		case *bytes.Reader, *strings.Reader:
			r.dec.memory = true
		}
		return
	}
	if r.spare == nil {
		r.spare = newWalkSource(newStoppable(src), &r.cfg)
	} else {
		g := r.spare.r.(*stoppable)
		g.reset(src)
		r.spare.reset(g)
	}
	r.begin(r.spare, r.spare.r.(*stoppable))
	_, buffer := src.(*bytes.Buffer) // a bytes.Buffer never blocks
	r.dec.mayBlock = !buffer
}

// begin prepares everything for a source. g is that source if it may block, or nil
// if there is none.
func (r *Reader) begin(src chunkSource, g *stoppable) {
	r.input, r.src, r.h, r.data, r.vlmeta, r.err = g, src, nil, nil, vlmeta{}, nil
	r.stats.set(Stats{})
	r.dec.cfg, r.dec.src, r.dec.memory, r.dec.mayBlock = &r.cfg, src, false, false
	if ctx := r.cfg.ctx; g != nil && ctx.Done() != nil {
		r.unhook = context.AfterFunc(ctx, func() { g.stop(context.Cause(ctx)) })
	}
}

// Reset ends the current stream and begins to read src with the options of
// NewReader, but without a context: that of Context or ResetContext applies to
// one stream. It reuses buffers.
func (r *Reader) Reset(src io.Reader) error { return r.ResetContext(context.Background(), src) }

// ResetContext is like Reset, with the context of the new stream: see Context.
func (r *Reader) ResetContext(ctx context.Context, src io.Reader) error {
	if r.fixed {
		return errFixed
	}
	if src == nil {
		return errNoSource
	}
	if err := framing.Need(ctx != nil, "context", "a context.Context"); err != nil {
		return err
	}
	r.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed.Store(false)
	r.cfg.ctx = ctx
	r.init(src)
	return nil
}

// Close ends the Reader and its goroutines; it does not close the source. A
// Read that is blocked in another goroutine, for the first header or a chunk,
// ends with blosc2.ErrClosed: immediately if there are several workers or the
// source has a read deadline, which is cleared then; otherwise when the
// source's Read ends, for which Close does not wait. Close returns the first
// error of the Reader other than io.EOF.
func (r *Reader) Close() error {
	r.closed.Store(true)
	pool := r.pool.Load()
	if pool != nil {
		pool.Cancel(blosc2.ErrClosed)
	}
	if r.input != nil && !r.input.stop(blosc2.ErrClosed) && pool == nil {
		return nil // the goroutine that is blocked cleans up
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil || r.err == io.EOF {
		r.fail(blosc2.ErrClosed)
	}
	if r.err == blosc2.ErrClosed {
		return nil
	}
	return r.err
}

// fail makes err the Reader's error, and ends all work.
func (r *Reader) fail(err error) error {
	if r.unhook != nil {
		if !r.unhook() {
			r.spare = nil // the source is being stopped, or will be
		}
		r.unhook = nil
	}
	free := r.input == nil || err == io.EOF || r.input.stop(err)
	clean := r.dec.stop(!free)
	r.pool.Store(nil)
	if !clean {
		r.spare = nil
	}
	if err == io.EOF {
		stats := r.stats.get()
		stats.Stored = r.src.Pos()
		r.stats.set(stats)
		r.learnVLMeta()
		if !r.cfg.trailing {
			err = cmp.Or(r.src.After(), err)
		}
	}
	if clean && r.err == nil {
		if e := r.src.Close(); err == io.EOF && e != nil {
			err = e
		}
	}
	r.err, r.data = err, nil
	if e, ok := err.(*blosc2.PanicError); ok {
		r.renew()
		panic(e)
	}
	return err
}

// open reads the header of the first frame and starts the decoder.
func (r *Reader) open() error {
	if r.err != nil {
		return r.err
	}
	if r.dec.running {
		return nil
	}
	h, err := r.dec.open(r.cfg.ctx)
	if err != nil {
		return r.fail(err)
	}
	r.h = h
	r.stats.set(Stats{Frames: 1})
	if r.input == nil { // otherwise another goroutine may be using the source
		r.learnVLMeta()
	}
	r.dec.start(h)
	return nil
}

// decoding is called before a method of the Reader may block in the pool.
func (r *Reader) decoding(pool *workpool.Pool[piece]) {
	r.pool.Store(pool)
	if r.closed.Load() { // Close ran before the pool was set
		pool.Cancel(blosc2.ErrClosed)
	}
}

// advance takes the next chunk. direct is how many of its bytes are already in
// into.
func (r *Reader) advance(into []byte) (direct int, err error) {
	if err := r.open(); err != nil {
		return 0, err
	}
	if r.closed.Load() {
		return 0, r.fail(blosc2.ErrClosed)
	}
	p, isDirect, err := r.dec.next(into)
	if err != nil {
		return 0, r.fail(err)
	}
	stats := r.stats.get()
	if h := p.item.Header; h != r.h {
		r.h = h
		stats.Frames++
	}
	if p.item.Skip == 0 {
		stats.Chunks++
	}
	stats.Bytes += int64(len(p.data))
	if limit := r.cfg.limits.Total; limit > 0 && stats.Bytes > limit {
		err := blosc2.Errorf(blosc2.PartChunk, blosc2.ErrTooLarge, "more than %d bytes, the limit", limit)
		return 0, r.fail(blosc2.At(err, p.item.N, p.item.Offset))
	}
	stats.Stored = p.pos
	r.stats.set(stats)
	if r.data = p.data; isDirect {
		direct, r.data = len(p.data), nil
	}
	if r.cfg.progress != nil {
		r.cfg.progress(stats)
	}
	return direct, nil
}

// Read reads decoded bytes of at most one chunk: it returns the available bytes
// without waiting for more. If the source is a bytes.Reader or a strings.Reader, it
// may read several chunks, decoded directly into p.
func (r *Reader) Read(p []byte) (n int, err error) {
	r.guarded(func() { n, err = r.read(p) })
	return n, err
}

func (r *Reader) read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	for n == 0 || r.dec.placed > 0 { // pending chunks are being decoded into p
		if len(r.data) == 0 {
			direct, err := r.advance(p[n:])
			if n += direct; err != nil && n > 0 {
				return n, nil // the next call returns the error
			} else if err != nil {
				return 0, err
			}
		}
		k := copy(p[n:], r.data)
		r.data = r.data[k:]
		n += k
	}
	return n, nil
}

// WriteTo writes the remaining data to w, chunk by chunk and without a copy.
func (r *Reader) WriteTo(w io.Writer) (n int64, err error) {
	r.guarded(func() {
		n, err = r.writeTo(w)
		if source, ok := w.(sourced); ok && err != nil && r.err != nil {
			source.sourceFailed(err)
		}
	})
	return n, err
}

// A sourced is a Writer of this package, which must not finish a frame whose
// source had an error.
type sourced interface{ sourceFailed(err error) }

func (r *Reader) writeTo(w io.Writer) (n int64, err error) {
	for {
		for len(r.data) == 0 {
			if _, err := r.advance(nil); err == io.EOF {
				return n, nil
			} else if err != nil {
				return n, err
			}
		}
		k, err := fsio.WriteFull(w, r.data)
		n += int64(k)
		r.data = r.data[k:]
		if err != nil {
			return n, err
		}
	}
}

// NextChunk returns the rest of the current chunk, or the next one. The bytes are
// valid until the next call of a method.
func (r *Reader) NextChunk() (data []byte, err error) {
	r.guarded(func() { data, err = r.nextChunk() })
	return data, err
}

func (r *Reader) nextChunk() ([]byte, error) {
	for len(r.data) == 0 {
		if _, err := r.advance(nil); err != nil {
			return nil, err
		}
	}
	data := r.data
	r.data = nil
	return data, nil
}
