package stream

import (
	"cmp"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// If there are fewer chunks than workers, because chunks are large or arrive
// slowly, idle workers help with the blocks of one.

// shareMin is the smallest size of a chunk worth sharing. Distributing its
// parts takes a few microseconds. With 2 MiB a single chunk of 1 MiB was compressed
// at 0.67 times the speed; with 64 KiB chunks of 128 KiB at 0.96 times, and others
// were within 4 % (BenchmarkOneChunk, 24 November 2026, two cores).
const shareMin = 256 << 10

// partsPerWorker is more than one, so that a worker that starts late or gets difficult
// blocks does not delay the others. In BenchmarkLargeChunk, where neither happens, values
// of 1 and 8 are equally fast.
const partsPerWorker = 2

// A chunkHelpers recruits workers that help another one with a chunk that it
// compresses.
type chunkHelpers struct {
	e      *encoder
	worker int
	task   *task

	recruit func() // asks an idle worker to help
	dismiss func() // waits for all workers that help
}

func (c *chunkHelpers) init(e *encoder, worker int) {
	c.e, c.worker = e, worker
	c.recruit = func() { e.pool.CallHelp(worker, c.task, e.help) }
	c.dismiss = func() { e.pool.EndHelp(worker) }
}

// compress compresses a task into dst, with the help of idle workers if it is large.
func (e *encoder) compress(worker int, t *task, dst []byte) (err error) {
	if err := e.tune(worker, t); err != nil {
		return err
	}
	if e.pool == nil || len(t.src) < shareMin {
		t.data, err = e.chunks[worker].Encode(dst, t.src)
		return err
	}
	t.helpers = &e.helpers[worker]
	t.helpers.task = t
	t.data, err = e.chunks[worker].EncodeShared(dst, t.src, t.helpers.recruit, t.helpers.dismiss)
	return err
}

// A parts is the state of a chunk that a worker decodes together with others.
type parts struct {
	errs   []error
	n      int // number of parts
	blocks int // number of blocks of the chunk
	size   int // bytes of a block
}

// begin prepares for a chunk of n blocks.
func (p *parts) begin(workers, blocks int) {
	p.blocks, p.n = blocks, min(blocks, partsPerWorker*workers)
	if len(p.errs) < p.n {
		p.errs = make([]error, p.n)
	}
	clear(p.errs)
}

// from returns the first block of a part; after the last part, the number of
// blocks.
func (p *parts) from(part int) int { return part * p.blocks / p.n }

// share decodes a verified piece with the help of idle workers. If there are
// none, or the chunk cannot be shared, it does nothing and ok is false.
func (d *decoder) share(n int, p *piece) (ok bool, err error) {
	it := &p.item
	if !d.pooled || it.NBytes < shareMin {
		return false, nil
	}
	h, err := chunk.ParseHeader(it.Chunk)
	if err != nil || h.Memcpyed() || h.Special() != chunk.NotSpecial || h.VLBlocks() || h.NBytes != it.NBytes || h.BlockSize%h.TypeSize != 0 {
		return false, nil // Decode returns the error for an invalid header
	}
	blocks := (h.NBytes + h.BlockSize - 1) / h.BlockSize
	if blocks < 2 {
		return false, nil
	}
	if p.data = p.into; p.data == nil {
		p.out = room.Resize(p.out, it.NBytes)
		p.data = p.out
	}
	p.parts = &d.parts[n]
	p.parts.begin(d.pool.Workers(), blocks)
	p.parts.size = h.BlockSize
	if !d.pool.Share(n, p, p.parts.n, d.part) {
		return false, nil
	}
	return true, cmp.Or(p.parts.errs...)
}

// decodePart decodes one part of a piece.
func (d *decoder) decodePart(n int, p *piece, part int) {
	q := p.parts
	from, to := q.from(part)*q.size, min(q.from(part+1)*q.size, len(p.data))
	w := &d.workers[n]
	w.setUp(&p.item)
	q.errs[part] = w.dec.DecodeRange(p.data[from:to], p.item.Chunk, from)
}

// setUp prepares the worker for the frame of a chunk.
func (w *worker) setUp(it *frame.Item) {
	if w.h != it.Header {
		w.h = it.Header
		framing.SetUp(&w.dec, it.Header, w.limits.Chunk)
	}
}
