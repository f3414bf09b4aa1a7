package stream

import (
	"cmp"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// Where there are fewer chunks than workers, because the chunks are large or
// come slowly, idle workers help with the blocks of one.

// shareMin is the size from which on a chunk is worth sharing. Handing out its
// parts takes a few microseconds.
const shareMin = 256 << 10

// partsPerWorker is more than one, so that a worker that comes late or meets
// easy blocks does not keep the others waiting.
const partsPerWorker = 2

// A crew is the workers that help another one with a chunk that it compresses.
type crew struct {
	e      *encoder
	worker int
	task   *task

	recruit func() // finds an idle worker
	dismiss func() // waits for all of them
}

func (c *crew) init(e *encoder, worker int) {
	c.e, c.worker = e, worker
	c.recruit = func() { e.pool.CallHelp(worker, c.task, e.help) }
	c.dismiss = func() { e.pool.EndHelp(worker) }
}

// compress compresses a task, with the help of idle workers if it is large.
func (e *encoder) compress(worker int, t *task) (err error) {
	if err := e.tune(worker, t); err != nil {
		return err
	}
	if e.pool == nil || len(t.src) < shareMin {
		t.out, err = e.chunks[worker].Encode(t.out[:0], t.src)
		return err
	}
	t.crew = &e.crews[worker]
	t.crew.task = t
	t.out, err = e.chunks[worker].EncodeShared(t.out[:0], t.src, t.crew.recruit, t.crew.dismiss)
	return err
}

// parts is what a worker holds of a chunk whose decoding it shares with others.
type parts struct {
	errs   []error
	n      int // parts
	blocks int // of the chunk
	size   int // bytes of a block
}

// begin prepares for a chunk of that many blocks.
func (p *parts) begin(workers, blocks int) {
	p.blocks, p.n = blocks, min(blocks, partsPerWorker*workers)
	if len(p.errs) < p.n {
		p.errs = make([]error, p.n)
	}
	clear(p.errs)
}

// from is the first block of a part, and of the part after the last one the
// number of blocks.
func (p *parts) from(part int) int { return part * p.blocks / p.n }

// share decodes a piece, which was verified, with the help of idle workers. ok
// is false if there are none, or the chunk cannot be shared; nothing has happened
// then.
func (d *decoder) share(n int, p *piece) (ok bool, err error) {
	it := &p.item
	if !d.pooled || it.NBytes < shareMin {
		return false, nil
	}
	h, err := chunk.ParseHeader(it.Chunk)
	if err != nil || h.Memcpyed() || h.Special() != chunk.NotSpecial || h.VLBlocks() || h.NBytes != it.NBytes || h.BlockSize%h.TypeSize != 0 {
		return false, nil // Decode says what is wrong, or has something to find out
	}
	blocks := (h.NBytes + h.BlockSize - 1) / h.BlockSize
	if blocks < 2 {
		return false, nil
	}
	if cap(p.out) < it.NBytes {
		p.out = room.Make(it.NBytes)
	}
	p.out = p.out[:it.NBytes]
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
	from, to := q.from(part)*q.size, min(q.from(part+1)*q.size, len(p.out))
	w := &d.workers[n]
	w.setUp(&p.item)
	q.errs[part] = w.dec.DecodeRange(p.out[from:to], p.item.Chunk, from)
}

// setUp prepares the worker for the frame that a chunk is of.
func (w *worker) setUp(it *frame.Item) {
	if w.h != it.Header {
		w.h = it.Header
		framing.SetUp(&w.dec, it.Header, w.limits.Chunk)
	}
}
