package stream

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// Append makes a Writer that goes on where the frame in a file of size bytes
// ends. What was written but never committed is cut off first; nothing of the
// frame is overwritten, and Checkpoint and Close commit: until then, and if
// they fail, the frame is what it was. A last chunk that is not full is filled
// up and written again, which lossy filters and codecs forbid unless
// VariableChunks is set.
//
// Codec, level, filters, typesize, block and chunk size are the frame's; the
// options for codec, level, filters and split hold for the new chunks alone.
// Others that a frame has once and for all are a *blosc2.OptionError.
func Append(file frame.File, size int64, opts ...WriterOption) (*Writer, error) {
	f, b, err := frame.Reopen(file, size)
	if err != nil {
		return nil, err
	}
	cfg, err := appendConfig(b, opts)
	if err != nil {
		return nil, err
	}
	w := &Writer{
		opts:      cfg,
		sink:      &patchSink{w: io.NewOffsetWriter(file, b.Pos()), at: file},
		frame:     b,
		stats:     Stats{Frames: 1},
		regrow:    !cfg.variable,
		coder:     new(encoder),
		committed: true,
		dirty:     f.Order() == frame.Unsealed,
	}
	if err := w.configure(cfg); err != nil {
		return nil, err
	}
	b.SetChunkSize(cfg.chunkSize)
	if err := w.refill(f); err != nil {
		w.abort(err)
		return nil, err
	}
	return w, nil
}

// appendConfig is what the frame of b and the options say.
func appendConfig(b *frame.Builder, opts []WriterOption) (writerConfig, error) {
	cfg := defaultWriter()
	h := b.Header()
	var d chunk.Decoder
	frame.SetUp(&d, h, frame.DefaultLimits)
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
		o.toWriter(&cfg)
	}
	for _, c := range []struct {
		option  string
		changed bool
	}{
		{"typesize", cfg.chunk.TypeSize != was.chunk.TypeSize},
		{"blocksize", cfg.chunk.BlockSize != was.chunk.BlockSize},
		{"chunk size", cfg.chunkSize != was.chunkSize && cfg.given},
		{"metalayers", len(cfg.layers) != len(was.layers)},
		{"threads", cfg.threads != was.threads},
		{"layout", cfg.layout != was.layout},
		{"spool", cfg.spool != was.spool},
	} {
		if c.changed {
			return cfg, &blosc2.OptionError{Option: c.option, Value: "changed", Range: "what the frame has"}
		}
	}
	cfg.checks = b.Checks()
	return cfg, nil
}

// refill takes the last chunk up again if it is not full.
func (w *Writer) refill(f *frame.Reader) error {
	n := f.NumChunks()
	if n == 0 || !w.regrow {
		return nil
	}
	last := f.Size() - (n-1)*int64(w.cfg.chunkSize)
	if last == int64(w.cfg.chunkSize) {
		return nil
	}
	if !w.growable() {
		return errNotGrowable
	}
	if err := w.take(); err != nil {
		return err
	}
	t := &w.cur.Value
	c, err := f.Chunk(t.room(w.cfg.chunkSize)[:0], n-1)
	if err != nil {
		return err
	}
	t.src = c
	w.fill, w.flushed = len(c), len(c)
	return nil
}
