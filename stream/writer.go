package stream

import (
	"context"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Writer compresses what is written to it into a frame. It is for one
// goroutine at a time; errors are sticky, and the first one is what every later
// call gives. Without a Close the frame is not finished and goroutines may stay. The
// sink
// is written to by the goroutine that calls, so a chunk that the workers have
// finished waits for the next call.
type Writer struct {
	opts writerConfig // as they were given
	cfg  writerConfig // of the present stream

	sink   sink
	frame  *frame.Builder // nil until its header is due
	dirty  bool           // there is something that the last tail does not know
	vlmeta []meta.Layer
	part   []byte // a header, record or tail on its way to the sink
	stats  Stats
	items  string // what WriteSlice writes, as NumPy says it
	regrow bool   // Flush writes a short chunk that is written again when it has grown

	coder   *encoder
	cur     *job // being filled, nil while nothing is in it
	fill    int  // bytes in cur
	flushed int  // of those, how many a Flush has written as a chunk already

	err       error
	committed bool // a sealed frame stands there, and the present one goes on behind it
	closed    bool
	sealed    bool
}

// NewWriter makes a Writer that puts a frame into w. Options that cannot be are
// a *blosc2.OptionError. The frame begins at w's current offset where it has
// one.
func NewWriter(w io.Writer, opts ...WriterOption) (*Writer, error) {
	cfg := defaultWriter()
	for _, o := range opts {
		o.toWriter(&cfg)
	}
	return newWriter(w, cfg)
}

func newWriter(w io.Writer, cfg writerConfig) (*Writer, error) {
	cfg.layers = cloneLayers(cfg.layers)
	zw := &Writer{opts: cfg, coder: new(encoder)}
	if err := zw.Reset(w); err != nil {
		return nil, err
	}
	return zw, nil
}

// Reset ends what was under way without finishing it, and begins a new frame
// in dst with the options of NewWriter. Buffers are used again.
func (w *Writer) Reset(dst io.Writer) error {
	w.abort(blosc2.ErrClosed)
	s := newSink(dst, w.opts.spool)
	if _, held := s.(*heldSink); held && w.opts.layout == header.Layout2019 {
		s = newSink(dst, DefaultSpool)
	}
	if last, ok := w.sink.(*heldSink); ok {
		if held, ok := s.(*heldSink); ok {
			last.reuse(held.w)
			s = last
		}
	}
	_, file := s.(*patchSink)
	*w = Writer{opts: w.opts, sink: s, part: w.part[:0], coder: w.coder, regrow: file && !w.opts.variable}
	cfg := w.opts
	cfg.layers = cloneLayers(cfg.layers)
	w.err = w.configure(cfg)
	return w.err
}

// configure sets the configuration of a stream of which nothing is written yet.
func (w *Writer) configure(cfg writerConfig) error {
	if err := cfg.check(); err != nil {
		return err
	}
	if _, held := w.sink.(*heldSink); held && len(cfg.layers) == meta.MaxLayers {
		return &blosc2.OptionError{Option: "metalayers", Value: len(cfg.layers), Range: "at most 15 where the output cannot be patched"}
	}
	w.cfg = cfg
	w.coder.reset(&w.cfg)
	return nil
}

func cloneLayers(layers []meta.Layer) []meta.Layer {
	c := make([]meta.Layer, len(layers))
	for i, l := range layers {
		c[i] = meta.Layer{Name: l.Name, Value: append([]byte{}, l.Value...)}
	}
	return c
}

// ready gives the error that the Writer is stuck with, or that its context was
// cancelled.
func (w *Writer) ready() error {
	if w.closed && w.err == nil {
		return blosc2.ErrClosed
	}
	if w.err == nil && w.cfg.ctx.Err() != nil {
		w.abort(context.Cause(w.cfg.ctx))
	}
	return w.err
}

// abort makes err the Writer's error, unless it has one, and ends its
// goroutines.
func (w *Writer) abort(err error) error {
	if w.sink == nil { // a new one
		return err
	}
	if w.err == nil && !w.closed {
		w.err = err
		w.sink.Discard()
	}
	w.cur, w.fill, w.flushed = nil, 0, 0
	w.coder.stop()
	return w.err
}

// waitMin is the size of a chunk from which on Write rather waits for the
// workers than copies it.
const waitMin = 16 << 20

// Write compresses p. Every full chunk goes to the workers, and finished ones
// to the sink; p is not kept.
func (w *Writer) Write(p []byte) (n int, err error) {
	if err := w.ready(); err != nil {
		return 0, err
	}
	size := w.cfg.chunkSize
	wait := false
	for len(p) > 0 {
		if err := w.take(); err != nil {
			return n, err
		}
		t := &w.cur.Value
		chunks := len(p) / size
		// Where enough chunks follow in p the workers are through with this one
		// before Write returns: no copy is needed.
		follow := chunks > w.coder.lag()
		var k int
		if w.fill == 0 && chunks > 0 && (follow || size >= waitMin) {
			k = size
			t.src = p[:k]
			wait = !follow
		} else {
			k = copy(t.room(size)[w.fill:], p)
			t.src = t.buf[:w.fill+k]
		}
		if err := w.filled(k); err != nil {
			return n, err
		}
		p = p[k:]
		n += k
	}
	if wait {
		err = w.emitAll()
	}
	return n, err
}

// ReadFrom compresses r to its end. It reads straight into the chunks.
func (w *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	if err := w.ready(); err != nil {
		return 0, err
	}
	for empty := 0; ; {
		if err := w.take(); err != nil {
			return n, err
		}
		t := &w.cur.Value
		k, err := r.Read(t.room(w.cfg.chunkSize)[w.fill:])
		n += int64(k)
		t.src = t.buf[:w.fill+k]
		if e := w.filled(k); e != nil {
			return n, e
		}
		if empty++; k > 0 {
			empty = 0
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		case empty == 100:
			return n, io.ErrNoProgress
		}
	}
}

// WriteChunk lets fill write a whole chunk, ChunkSize bytes, in place. It is
// for callers that gather or make their data, and works where no part of a
// chunk is waiting only. An error of fill is given back and ends nothing.
func (w *Writer) WriteChunk(fill func(chunk []byte) error) error {
	if err := w.ready(); err != nil {
		return err
	}
	if w.fill > 0 {
		return &blosc2.OptionError{Option: "bytes before WriteChunk", Value: w.fill, Range: "whole chunks"}
	}
	if err := w.take(); err != nil {
		return err
	}
	t := &w.cur.Value
	t.src = t.room(w.cfg.chunkSize)
	if err := fill(t.src); err != nil {
		return err
	}
	return w.filled(len(t.src))
}

// take sees to it that there is a job to be filled.
func (w *Writer) take() (err error) {
	if w.cur != nil {
		return nil
	}
	if !w.coder.running {
		if err := w.coder.start(); err != nil {
			return w.abort(err)
		}
	}
	for w.coder.full() {
		if err := w.emitNext(); err != nil {
			return err
		}
	}
	if w.cur, err = w.coder.free(); err != nil {
		return w.abort(err)
	}
	return nil
}

// filled counts k more bytes in the job at hand, and hands it over when its
// chunk is full.
func (w *Writer) filled(k int) error {
	w.fill += k
	w.stats.Bytes += int64(k)
	if w.fill < w.cfg.chunkSize {
		return nil
	}
	return w.submit()
}

// submit hands over the chunk at hand, full or not.
func (w *Writer) submit() error {
	j := w.cur
	if err := w.choose(j.Value.src[:w.fill]); err != nil {
		return err
	}
	j.Value.grown = w.flushed > 0
	w.cur, w.fill, w.flushed = nil, 0, 0
	w.coder.submit(j)
	if w.coder.inline() {
		return w.emitNext()
	}
	return nil
}

// emitNext puts the earliest chunk that was handed over into the sink, and
// waits for it if it must.
func (w *Writer) emitNext() error {
	if w.cfg.ctx.Err() != nil {
		return w.abort(context.Cause(w.cfg.ctx))
	}
	j, err := w.coder.next()
	if err == nil {
		err = w.emit(j)
	}
	if err != nil {
		return w.abort(err)
	}
	w.coder.release(j)
	return nil
}

// emitAll does so with all of them.
func (w *Writer) emitAll() error {
	for w.coder.pending > 0 {
		if err := w.emitNext(); err != nil {
			return err
		}
	}
	return nil
}

// emit puts a compressed chunk into the sink.
func (w *Writer) emit(j *job) error {
	t := &j.Value
	if w.frame != nil && w.cfg.frameMax > 0 && w.frame.NumChunks() >= w.cfg.frameMax {
		if err := w.endFrame(); err != nil {
			return err
		}
	}
	if w.frame == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	if t.grown {
		if err := w.put(w.frame.AppendContinue(w.part[:0])); err != nil {
			return err
		}
	} else {
		w.stats.Chunks++
	}
	if err := w.frame.AddChunk(len(t.src), t.chunk); err != nil {
		return err
	}
	n, spare, err := w.sink.WriteChunk(t.out)
	t.out = spare
	w.stats.Stored += int64(n)
	w.dirty = true
	if err == nil && w.cfg.progress != nil {
		w.cfg.progress(w.stats)
	}
	return err
}

// put writes a part of the frame that is no chunk, and keeps its buffer.
func (w *Writer) put(part []byte) error {
	w.part = part[:0]
	n, err := w.sink.Write(part)
	w.stats.Stored += int64(n)
	return err
}

// Stats gives the figures so far. Chunks that are still with the workers count
// in Bytes alone.
func (w *Writer) Stats() Stats { return w.stats }

// Sealed tells, after Close, whether the frame is sealed. Where it is not, a
// Reader takes it all the same, C-Blosc2 after frame.Seal.
func (w *Writer) Sealed() bool { return w.sealed }
