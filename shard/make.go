package shard

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Fill fills dst with the decoded bytes of chunk n. In an array these are its
// blocks, including padding, as b2nd.Cut.Pack makes them. It is called by one
// goroutine, with ascending numbers.
type Fill func(dst []byte, n int64) error

// WriteShard writes the chunks of shard k to dst, and returns their manifest.
// The options, such as stream.Workers, do not change the bytes. Errors of fill
// and dst are returned unchanged. It uses as much memory as a stream.Writer.
func (p *Plan) WriteShard(dst io.Writer, k int, fill Fill, opts ...stream.Option) (*Manifest, error) {
	if err := framing.Need(dst != nil, "destination", "an io.Writer"); err != nil {
		return nil, err
	}
	if err := framing.Need(fill != nil, "fill", "a function"); err != nil {
		return nil, err
	}
	if err := p.checkShard(k); err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(dst, 64<<10)
	body := &bodyWriter{scanner: p.scan(k), want: p.raw, out: func(b []byte) error { _, err := buf.Write(b); return err }}
	w, err := stream.NewWriter(body, p.options(opts)...)
	if err != nil {
		return nil, err
	}
	defer w.Abort(nil)
	first, end := p.Chunks(k)
	for n := first; n < end; n++ {
		if err := p.makeChunk(w, n, fill); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), buf.Flush()); err != nil {
		return nil, err
	}
	if !body.over {
		return nil, fmt.Errorf("shard: only %d of %d chunks were made", body.n-first, end-first)
	}
	return &Manifest{Plan: p, Shard: k, Chunks: body.chunks, Digest: body.digest.Sum64()}, nil
}

func (p *Plan) makeChunk(w *stream.Writer, n int64, fill Fill) error {
	if size := p.chunkLen(n); size < int(p.h.ChunkSize) {
		last := make([]byte, size)
		if err := fill(last, n); err != nil {
			return err
		}
		_, err := w.Write(last)
		return err
	}
	return w.WriteChunk(func(dst []byte) error { return fill(dst, n) })
}

// options returns the options of a Writer that makes the plan's chunks.
func (p *Plan) options(more []stream.Option) []stream.WriterOption {
	h := p.h
	opts := []stream.WriterOption{stream.TypeSize(int(h.TypeSize)), stream.ChunkSize(int(h.ChunkSize)), stream.BlockSize(int(h.BlockSize)),
		stream.Codec(h.Codec, h.CodecMeta), stream.Level(int(h.Level)), stream.Filters(h.Filters), stream.Split(p.split),
		stream.Checks(p.checks), stream.Threads(int(h.TComp), int(h.TDecomp)), stream.Legacy()}
	if h.Dict {
		opts = append(opts, stream.Dict())
	}
	if p.desc != nil {
		opts = append(opts, blockShape(p.desc.BlockShape))
	}
	for _, l := range h.Layers {
		if l.Name != meta.StreamName {
			opts = append(opts, stream.Metalayer(l.Name, l.Value))
		}
	}
	for _, o := range more {
		opts = append(opts, o)
	}
	return opts
}

// A bodyWriter writes only the chunks of a frame.
type bodyWriter struct {
	scanner
	want []byte // the header that the plan has
	head []byte // the header written so far, with its record
	out  func([]byte) error
}

func (b *bodyWriter) Write(p []byte) (int, error) {
	n := len(p)
	size := len(b.want)
	if b.plan.checks && !b.scanner.over {
		size += framing.RecordLen
	}
	if k := min(size-len(b.head), n); k > 0 {
		b.head = append(b.head, p[:k]...)
		p = p[k:]
		if len(b.head) == size && !b.sameHeader() {
			return 0, fmt.Errorf("shard: %w: the plan's header cannot be reproduced", blosc2.ErrUnsupported)
		}
	}
	return n, b.pass(p, b.out)
}

// sameHeader compares the header with the plan's. That of a small frame already
// has its sizes.
func (b *bodyWriter) sameHeader() bool {
	if bytes.Equal(b.head[:len(b.want)], b.want) {
		return true
	}
	q := Plan{shards: b.plan.shards, size: b.plan.size}
	h, err := header.Parse(b.head[:len(b.want)])
	return err == nil && q.setHeader(h) == nil && bytes.Equal(q.raw, b.want)
}

// FromReaderAt returns the Fill that reads from r, which holds all the data; for an
// array, its items in C order. It is for one WriteShard at a time.
func (p *Plan) FromReaderAt(r io.ReaderAt) Fill {
	if p.desc != nil {
		cut, err := b2nd.NewCut(p.desc, int(p.h.TypeSize))
		if err != nil {
			return func([]byte, int64) error { return err }
		}
		return (&rawItems{r: r, cut: cut}).fill
	}
	return func(dst []byte, n int64) error { return readFull(r, dst, n*int64(p.h.ChunkSize)) }
}

// readFull reads all of p.
func readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == io.EOF {
		err = fmt.Errorf("the input ends at byte %d, but must have at least %d bytes: %w", off+int64(n), off+int64(len(p)), io.ErrUnexpectedEOF)
	}
	return err
}
