package stream

import (
	"bytes"
	"cmp"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// Compress appends src to dst as a sealed frame, which C-Blosc2 opens, and
// returns the extended slice. dst may be nil, and must not overlap src. The
// options are those of NewWriter; Spool and VariableChunks change nothing. On
// error it returns dst unchanged. Chunks are encoded directly into the memory between
// the length and the capacity of dst if there is enough, so it may be overwritten.
//
// Large inputs are compressed by several goroutines, unless Workers(1) is
// given; all have ended when Compress returns. Compress may be called by
// several goroutines concurrently. Buffers and tables are kept for the next
// call with the same compression parameters, until a garbage collection.
// Options are evaluated in each call: for many small inputs with options a
// Writer with Reset is faster.
func Compress(dst, src []byte, opts ...WriterOption) ([]byte, error) {
	pool, cfg := &plainPackers, writerConfig{}
	if len(opts) > 0 {
		cfg = writerOptions(opts)
		pool = packersFor(&cfg.chunk)
	} else {
		cfg = defaultWriter()
	}
	p, _ := pool.Get().(*packer)
	if p == nil {
		p = &packer{w: Writer{coder: new(encoder)}}
	}
	dst, err := p.compress(dst, src, cfg)
	if err == nil { // otherwise tasks may still refer to src and to memory of dst, where a later call would write
		pool.Put(p)
	}
	return dst, err
}

// A packer holds the buffers of one call of Compress.
type packer struct {
	w    Writer
	sink memSink
}

func (p *packer) compress(dst, src []byte, cfg writerConfig) ([]byte, error) {
	w := &p.w
	w.opts = cfg
	w.opts.spool = -1
	p.sink = memSink{buf: dst, base: len(dst)}
	err := w.resetSink(nil, &p.sink)
	if err == nil {
		err = w.writeAll(src)
	}
	err = cmp.Or(err, w.Close())
	out := p.sink.buf
	p.sink, w.opts, w.cfg = memSink{}, writerConfig{}, writerConfig{} // keep no memory of the caller
	if err != nil {
		return dst, err
	}
	return out, nil
}

// writeAll compresses p without copying it. p must not change before Close.
func (w *Writer) writeAll(p []byte) (err error) {
	w.guarded(func() {
		if w.cfg.aim != 0 {
			err = w.sampleSource(bytes.NewReader(p), 0) // chunks are not copied
		}
		if err == nil {
			err = w.submitAll(p)
		}
	})
	return err
}

func (w *Writer) submitAll(p []byte) error {
	for len(p) > 0 {
		if err := w.ready(); err != nil {
			return err
		}
		if err := w.take(); err != nil {
			return err
		}
		k := min(len(p), w.cfg.chunkSize)
		w.cur.Value.src = p[:k:k]
		if err := w.filled(k); err != nil {
			return err
		}
		if len(p) > k && w.fill > 0 { // chunks have become shorter, so the next one is not copied
			k -= w.fill
			w.stats.Bytes -= int64(w.fill)
			w.fill = 0
		}
		p = p[k:]
	}
	return nil
}

// packers holds packers by the parameters of their encoders. A program uses few
// sets of parameters; those beyond maxPackers, far more than such a program has, are
// not kept.
const maxPackers = 64

var (
	plainPackers sync.Pool // for calls without options
	packers      = struct {
		sync.RWMutex
		by map[packerKey]*sync.Pool
	}{by: map[packerKey]*sync.Pool{}}
)

// packerKey is a comparable form of chunk.Params.
type packerKey struct {
	codec               blosc2.CodecID
	meta                uint8
	level               int
	typeSize, blockSize int
	split               blosc2.SplitMode
	filters             filters.Pipeline
	dict                bool
	format              chunk.Format
}

// packersFor returns the pool of packers for p; it is not kept if there are too
// many.
func packersFor(p *chunk.Params) *sync.Pool {
	if len(p.BlockShape) > 0 {
		return new(sync.Pool)
	}
	key := packerKey{p.Codec, p.CodecMeta, p.Level, p.TypeSize, p.BlockSize, p.Split, p.Filters, p.Dict, p.Format}
	packers.RLock()
	pool := packers.by[key]
	packers.RUnlock()
	if pool != nil {
		return pool
	}
	pool = new(sync.Pool)
	packers.Lock()
	defer packers.Unlock()
	if other := packers.by[key]; other != nil {
		return other
	}
	if len(packers.by) < maxPackers {
		packers.by[key] = pool
	}
	return pool
}
