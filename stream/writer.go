package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/workpool"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Writer compresses data into a frame. It is for one goroutine at a time.
// Errors are sticky: every later call returns the first one, including an error
// of the source in ReadFrom, and Close then does not finish the frame. Without
// Close the frame is not finished and goroutines may remain. The calling
// goroutine writes to the sink, so a chunk that the workers have finished waits
// for the next call.
//
// # Sealed and unsealed
//
// The header at the beginning of a frame holds sizes that are known only at the
// end. Close seals the frame in a file by writing them; it also does so in a
// *bytes.Buffer, if the whole frame is still in it and nothing was written after
// it, and in a *strings.Builder, for which the frame is held back until Close or
// Flush. In a pipe or a socket the frame remains unsealed, unless it is spooled or
// small: up to 4 MiB of compressed data are held in memory until a Flush or Close.
// A Reader reads both. C-Blosc2 reads only sealed frames; frame.Seal seals the others
// later.
//
// Flush also flushes a sink with a buffer, such as a bufio.Writer or an
// http.ResponseWriter; Close does not, as it does not close the sink.
//
// # Determinism
//
// The output of a Writer depends on the data, the options, where Flush and
// Checkpoint are called, and with Auto on whether ReadFrom can look ahead in
// its source. It does not depend on the sizes of the Writes, the number of
// workers or the machine.
//
// # Small frames
//
// A Writer or Reader that is reused with Reset, perhaps from a sync.Pool, writes or
// reads a frame of a few hundred bytes in two or three microseconds, with almost no
// allocations. The caller compresses a single chunk of less than 256 KiB itself,
// and wakes no worker; it does the same to read a frame of up to 256 KiB from
// memory or a file. A frame adds 333 bytes to the compressed data, or 301 with
// Checks(false).
type Writer struct {
	opts writerConfig // options of NewWriter
	cfg  writerConfig // configuration of the current stream

	dst     any // the caller's sink
	sink    sink
	frame   *frame.Builder // nil until the header is written
	builder *frame.Builder // memory for frame, reused after a Reset
	records bool           // check records are written, as by the option Checks
	dirty   bool           // there are changes after the last tail
	vlmeta  []meta.Layer
	part    []byte // a header, record or tail to be written to the sink
	stats   Stats
	items   string      // type of WriteSlice's items in NumPy's notation
	log     framing.Log // state of a file that was flushed; nil before the first Flush, and for any other sink

	coder *encoder
	auto  auto
	cur   *job // the job being filled; nil if it is empty
	fill  int  // number of bytes in cur
	kept  int  // how many of the fill bytes are also in a short chunk of the file, which is kept

	variable  bool // the header in the file says that chunks have any size
	metaDirty bool // vlmetalayers have changed since the last commit

	recovered int64 // see Recovered
	lost      error // see Lost
	held      int64 // decoded bytes that the file held before
	safe      int64 // decoded bytes as of the last Flush or Checkpoint
	array     bool  // the rows of an array were flushed

	err    error
	source error // error of the source in ReadFrom, after which the frame is not finished
	closed bool
	sealed bool
	fixed  bool // the Writer has opened its sink, a file, and cannot be reset
}

// NewWriter returns a Writer that writes a frame to w, at its current offset, if it
// has one. Invalid options return a *blosc2.OptionError.
func NewWriter(w io.Writer, opts ...WriterOption) (*Writer, error) {
	return newWriter(w, writerOptions(opts))
}

func newWriter(w io.Writer, cfg writerConfig) (*Writer, error) {
	cfg.layers = cloneLayers(cfg.layers)
	zw := &Writer{opts: cfg, coder: new(encoder)}
	if err := zw.reset(w); err != nil {
		return nil, err
	}
	return zw, nil
}

// Reset abandons the current frame without finishing it, and begins a new one
// in dst with the options of NewWriter, but without a context: that of Context
// or ResetContext applies to one stream. It reuses buffers.
func (w *Writer) Reset(dst io.Writer) error { return w.ResetContext(context.Background(), dst) }

// ResetContext is like Reset, with the context of the new stream: see Context.
func (w *Writer) ResetContext(ctx context.Context, dst io.Writer) error {
	if err := framing.Need(ctx != nil, "context", "a context.Context"); err != nil {
		return err
	}
	if !w.fixed {
		w.opts.ctx = ctx
	}
	return w.reset(dst)
}

// errFixed is the error of Reset for a FileWriter or FileReader.
var errFixed = fmt.Errorf("blosc2: Reset of a FileReader or FileWriter: %w", errors.ErrUnsupported)

// reset begins a new stream with the current options.
func (w *Writer) reset(dst io.Writer) error {
	if w.fixed {
		return errFixed
	}
	if dst == nil {
		return &blosc2.OptionError{Option: "sink", Value: nil, Range: "an io.Writer"}
	}
	w.abort(blosc2.ErrClosed)
	last, _ := w.sink.(*heldSink)
	s := newSink(dst, w.opts.spool, last)
	if _, held := s.(*heldSink); held && w.opts.layout == header.Layout2019 {
		s = newSink(dst, DefaultSpool, nil)
	}
	return w.resetSink(dst, s)
}

// resetSink begins a frame in s, which is the sink for dst. No stream may be in
// progress.
func (w *Writer) resetSink(dst any, s sink) error {
	*w = Writer{opts: w.opts, dst: dst, sink: s, builder: w.builder, records: w.records, part: w.part[:0], coder: w.coder}
	cfg := w.opts
	cfg.layers = cloneLayers(cfg.layers)
	w.err = w.configure(cfg)
	return w.err
}

// configure sets the configuration of a stream before anything is written.
func (w *Writer) configure(cfg writerConfig) error {
	if err := cfg.check(); err != nil {
		return err
	}
	switch w.sink.(type) {
	case *heldSink, *connSink:
		if len(cfg.layers) == meta.MaxLayers {
			return &blosc2.OptionError{Option: "metalayers", Value: len(cfg.layers), Range: "at most 15 if the output cannot be patched"}
		}
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

// ready returns the Writer's sticky error, or that of its cancelled context.
func (w *Writer) ready() error {
	if err := w.alive(); err != nil {
		return err
	}
	return w.source
}

// alive is like ready, but ignores errors of a source.
func (w *Writer) alive() error {
	if w.closed && w.err == nil {
		return blosc2.ErrClosed
	}
	if w.err == nil && w.cfg.ctx.Err() != nil {
		w.abort(context.Cause(w.cfg.ctx))
	}
	return w.err
}

// abort makes err the Writer's error, unless it has one, and ends its goroutines.
// It raises the panic of one of them again.
func (w *Writer) abort(err error) error {
	if w.sink == nil { // the Writer is new
		return err
	}
	first := w.err == nil && !w.closed
	if first {
		w.err = cmp.Or(w.source, err)
		w.sink.Discard()
	}
	w.cur, w.fill, w.kept = nil, 0, 0
	w.coder.stop()
	if first {
		workpool.Raise(err)
	}
	return w.err
}

// waitMin is the smallest chunk for which Write waits for the workers instead
// of copying it. Copying chunks of 64 MiB made BenchmarkLargeChunk 1.22 times as slow;
// below 16 MiB waiting would delay callers with little to gain.
const waitMin = 16 << 20

// Write compresses p. Every full chunk goes to the workers, and finished ones
// to the sink. It does not retain p.
func (w *Writer) Write(p []byte) (n int, err error) {
	w.guarded(func() { n, err = w.write(p) })
	return n, err
}

func (w *Writer) write(p []byte) (n int, err error) {
	if err := w.ready(); err != nil {
		return 0, err
	}
	wait := false
	for len(p) > 0 {
		if err := w.take(); err != nil {
			return n, err
		}
		t, size := &w.cur.Value, w.cfg.chunkSize
		chunks := len(p) / size
		// If enough chunks follow in p, the workers finish this chunk before Write
		// returns, so it need not be copied.
		follow := chunks > w.coder.lag()
		var k int
		switch {
		case w.fill == 0 && chunks > 0 && (follow || size >= waitMin):
			k = size
			t.src = p[:k]
			wait = !follow
		case w.fill == 0 && w.cfg.flushed && w.coder.inline():
			k = len(p)
			t.src = p // the Conn flushes before the caller uses p again
		default:
			k = copy(w.room(t, len(p))[w.fill:], p)
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

// take ensures that there is a current job.
func (w *Writer) take() (err error) {
	if w.cur != nil {
		return nil
	}
	if err := w.coder.begin(); err != nil {
		return w.abort(err)
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

// filled counts k more bytes in the current job, and submits it when its chunk
// is full.
func (w *Writer) filled(k int) error {
	w.fill += k
	w.stats.Bytes += int64(k)
	if w.fill < w.cfg.chunkSize {
		return nil
	}
	return w.submit()
}

// submit submits the current chunk, full or not. If chunks have just become shorter,
// the bytes beyond begin the next one.
func (w *Writer) submit() error {
	j := w.cur
	var rest []byte
	if src := j.Value.src[:w.fill]; w.cfg.aim != 0 {
		if w.waits(src) {
			w.fill = 0
			return nil
		}
		if err := w.choose(src); err != nil {
			return err
		}
		if err := w.release(); err != nil {
			return err
		}
		j.Value.params = w.auto.params
		rest = w.cut()
	}
	w.cur, w.fill, w.kept, w.auto.had = nil, 0, 0, 0
	if err := w.send(j); err != nil {
		return err
	}
	if w.coder.inline() {
		if err := w.emitNext(); err != nil {
			return err
		}
	}
	if len(rest) == 0 {
		return nil
	}
	if err := w.take(); err != nil {
		return err
	}
	t := &w.cur.Value
	w.fill = copy(w.room(t, len(rest)), rest) // this never borrows the caller's memory, because more follows in the same Write
	t.src = t.buf[:w.fill]
	w.stats.Bytes += int64(w.fill)
	return nil
}

// send submits a job to the encoder.
func (w *Writer) send(j *job) error {
	if err := w.place(&j.Value); err != nil {
		return w.abort(err)
	}
	w.coder.submit(j)
	return nil
}

// submitShort submits the remaining data as a short chunk.
func (w *Writer) submitShort() error {
	for w.fill > 0 {
		if err := w.submit(); err != nil {
			return err
		}
	}
	return nil
}

// emitNext writes the earliest submitted chunk to the sink, waiting for it if
// necessary.
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

// emitAll writes all submitted chunks to the sink.
func (w *Writer) emitAll() error {
	if err := w.release(); err != nil {
		return err
	}
	for w.coder.pending > 0 {
		if err := w.emitNext(); err != nil {
			return err
		}
	}
	return nil
}

// emit writes a compressed chunk to the sink.
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
	if err := w.putChunk(t); err != nil {
		return err
	}
	w.stats.Chunks++
	w.dirty = true
	if w.cfg.progress != nil {
		w.cfg.progress(w.stats)
	}
	return nil
}

// putChunk writes the next chunk.
func (w *Writer) putChunk(t *task) error {
	if w.log != nil {
		w.stats.Stored += int64(len(t.data))
		return w.log.Put(t.data, t.chunk, len(t.src))
	}
	if err := w.frame.AddChunk(len(t.src), t.chunk); err != nil {
		return err
	}
	n, spare, err := w.sink.WriteChunk(t.data)
	if t.into == nil {
		t.out = spare
	}
	w.stats.Stored += int64(n)
	return err
}

// put writes a part of the frame that is not a chunk, and keeps its buffer.
func (w *Writer) put(part []byte) error {
	w.part = part[:0]
	n, err := w.sink.Write(part)
	w.stats.Stored += int64(n)
	return err
}

// Stats returns the statistics so far. Chunks that are still being compressed
// count only in Bytes.
func (w *Writer) Stats() Stats { return w.stats }

// Sealed reports, after Close, whether the frame is sealed. A Reader reads it
// in either case, C-Blosc2 only a sealed one: see frame.Seal.
func (w *Writer) Sealed() bool { return w.sealed }
