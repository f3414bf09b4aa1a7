package stream

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tune"
)

// Append returns a Writer that continues the frame in a file of size bytes. The last
// writer may have closed, flushed or committed the frame, or died. Every flushed byte is
// kept; Recovered returns how many of them were not committed. The option DropTail drops
// these. If some of these bytes are damaged and later ones are intact, Append returns
// blosc2.ErrChecksum or blosc2.ErrCorrupt and does not change the file: frame.Repair
// saves the intact ones, and the option DropDamaged drops them. If nothing after the
// damage is intact, Append continues there, and Lost reports the loss. The committed
// frame is unchanged until Checkpoint or Close commits, and remains if they fail. A file
// that ends within the committed frame results in io.ErrUnexpectedEOF: frame.Repair saves
// its chunks. Vlmetalayers become part of the frame with the next Flush.
//
// Append fills up an incomplete last chunk, which is an error if it was
// compressed with a lossy filter or codec. With VariableChunks such a chunk is
// kept; the first Flush then commits, because it changes the header.
//
// Codec, Level, Filters, Split and Auto apply to the chunks that Append writes, also to the
// last one if it is filled up. Those that are not given are as in the header, which records
// the new ones with the next commit. Earlier chunks stay as they are. TypeSize, BlockSize,
// ChunkSize, Metalayer, Threads and Checks must match the frame if they are given: another
// value, and Layout2019 or Spool, result in a *blosc2.OptionError. Options that are not about
// the frame, such as Workers, apply as usual. An empty file results in
// io.ErrUnexpectedEOF: see AppendFile.
func Append(file frame.File, size int64, opts ...WriterOption) (*Writer, error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return nil, err
	}
	given := writerOptions(opts)
	var open []frame.Option
	if given.dropTail {
		open = append(open, frame.DropTail())
	}
	if given.dropHurt {
		open = append(open, frame.DropDamaged())
	}
	l, b, f, err := appendLog(file, size, given.rows, open...)
	if err != nil {
		return nil, err
	}
	if !given.rows {
		if err := refuseArray(f.Header().Layers); err != nil {
			return nil, err
		}
	}
	cfg, err := appendConfig(b, opts)
	if err != nil {
		return nil, err
	}
	w := &Writer{
		opts:      cfg,
		dst:       file,
		sink:      &patchSink{w: io.NewOffsetWriter(file, b.Pos()), at: file},
		frame:     b,
		log:       l,
		variable:  f.Header().VariableChunks,
		stats:     Stats{Frames: 1},
		coder:     new(encoder),
		dirty:     l.Dirty(),
		recovered: l.Recovered(),
		lost:      l.Lost(),
		held:      f.Size(),
		safe:      f.Size(),
	}
	if err := w.configure(cfg); err != nil {
		return nil, err
	}
	b.SetChunkSize(cfg.chunkSize)
	b.SetParams(&cfg.chunk)
	w.auto.continued = true
	w.guarded(func() { err = w.refill(f) })
	if err != nil {
		w.abort(err)
		return nil, err
	}
	return w, nil
}

// sameLayers reports whether the frame has every metalayer that the options name, with
// the same value, and removes repeated ones.
func sameLayers(cfg *writerConfig, has []meta.Layer) bool {
	for _, l := range cfg.layers[len(has):] {
		if value, ok := meta.Find(has, l.Name); !ok || !bytes.Equal(value, l.Value) {
			return false
		}
	}
	cfg.layers = cfg.layers[:len(has)]
	return true
}

// Offset returns the number of decoded bytes of the frame so far: those when
// Append opened it, and those written since. Right after AppendFile it is the
// size of the log.
func (w *Writer) Offset() int64 { return w.held + w.stats.Bytes }

// Recovered returns, after Append, how many bytes of the file were flushed but
// not committed by its last writer: all of them if it never committed.
func (w *Writer) Recovered() int64 { return w.recovered }

// Lost returns an error if bytes that were flushed but not committed by the
// file's last writer were damaged when Append opened it, so that the Writer
// continues before them. It names the chunk. It is nil if nothing is known to
// be lost.
func (w *Writer) Lost() error { return w.lost }

// appendConfig returns the configuration from the frame of b and the options.
func appendConfig(b *frame.Builder, opts []WriterOption) (writerConfig, error) {
	cfg := defaultWriter()
	h := b.Header()
	var d chunk.Decoder
	framing.SetUp(&d, h, 0)
	cfg.chunk = chunk.Params{Codec: h.Codec, CodecMeta: h.CodecMeta, Level: int(h.Level), TypeSize: int(h.TypeSize),
		BlockSize: int(h.BlockSize), Split: h.Split, Filters: h.Filters, Dict: h.Dict, BlockShape: d.BlockShape, PlainZeros: true}
	if cfg.given = h.ChunkSize > 0; cfg.given {
		cfg.chunkSize = int(h.ChunkSize)
	}
	cfg.variable = h.VariableChunks
	cfg.threads = [2]int{max(int(h.TComp), 0), max(int(h.TDecomp), 0)}
	cfg.layers = slices.DeleteFunc(cloneLayers(h.Layers), func(l meta.Layer) bool { return l.Name == meta.StreamName })
	was := cfg
	for _, o := range opts {
		if o != nil {
			o.toWriter(&cfg)
		}
	}
	if cfg.chunkSize != was.chunkSize { // round it as NewWriter did, so that the same option matches
		cfg.roundChunk()
		cfg.chunkSize -= cfg.chunkSize % max(was.chunk.TypeSize, 1)
	}
	if n := cfg.itemSize; cfg.keep&tune.KeepTypeSize == 0 && n > 0 && was.chunk.TypeSize%n == 0 { // the frame's items may be records
		cfg.chunk.TypeSize = was.chunk.TypeSize
	}
	cfg.keep |= tune.KeepTypeSize
	if cfg.rows { // C-Blosc2 reads no array whose chunks have other blocks
		cfg.keep |= tune.KeepBlockSize
	}
	for _, c := range []struct {
		option  string
		changed bool
		is, was any
	}{
		{"typesize", cfg.chunk.TypeSize != was.chunk.TypeSize, cfg.chunk.TypeSize, was.chunk.TypeSize},
		{"blocksize", cfg.chunk.BlockSize != was.chunk.BlockSize, cfg.chunk.BlockSize, was.chunk.BlockSize},
		{"chunk size", cfg.chunkSize != was.chunkSize && cfg.given, cfg.chunkSize, was.chunkSize},
		{"metalayers", !sameLayers(&cfg, was.layers), "changed", "the same"},
		{"threads", cfg.threads != was.threads, cfg.threads, was.threads},
		{"layout", cfg.layout != was.layout, cfg.layout, was.layout},
		{"spool", cfg.spool != was.spool, cfg.spool, was.spool},
		{"checks", cfg.checked && cfg.checks != b.Checks(), cfg.checks, b.Checks()},
	} {
		if c.changed {
			return cfg, &blosc2.OptionError{Option: c.option, Value: c.is, Range: fmt.Sprintf("%v, as in the frame", c.was)}
		}
	}
	cfg.checks = b.Checks()
	return cfg, nil
}

// refill continues the last chunk if it is not full.
func (w *Writer) refill(f *frame.Reader) error {
	n := w.log.Pending()
	if n == 0 || w.log.Rows() {
		return nil
	}
	if !w.log.Unfinished() {
		switch {
		case w.cfg.variable:
			return w.log.Keep()
		case !w.growable():
			return errNotGrowable
		}
	}
	if err := w.take(); err != nil {
		return err
	}
	t := &w.cur.Value
	c, err := f.Chunk(t.room(w.cfg.chunkSize)[:0], f.NumChunks()-1)
	if err != nil {
		return err
	}
	t.src, w.fill, w.auto.had = c, len(c), len(c)
	if !w.log.Unfinished() {
		w.kept = len(c)
	}
	if w.fill == w.cfg.chunkSize {
		return w.submit()
	}
	return nil
}

var errNotGrowable = fmt.Errorf("%w: a part of a chunk cannot be filled up after a lossy codec or filter; set VariableChunks", blosc2.ErrUnsupported)

// growable reports whether a chunk can be decoded and compressed again without loss.
func (w *Writer) growable() bool { return w.cfg.lossless() }

// lossless reports whether the codec and the filters are known to keep every bit.
func (c *writerConfig) lossless() bool {
	p := &c.chunk
	return !p.Filters.Lossy() && !framing.LossyCodec(p.Codec)
}
