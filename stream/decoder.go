package stream

import (
	"context"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// A piece is a chunk being decoded.
type piece struct {
	item frame.Item
	in   []byte // memory for item.Chunk
	out  []byte // memory for the decoded chunk
	into []byte // caller's memory for the decoded chunk, used instead of out if it has room
	data []byte // the decoded bytes that were not returned before
	pos  int64  // the source's position after the chunk
	held int64  // bytes that are charged to the budget

	parts *parts // state of sharing, owned by the worker that decodes the piece
}

// A decoder decodes the chunks of a source in order: with one worker in the
// calling goroutine, otherwise in a pool. A source that may block is then read
// by a separate goroutine, from the first header on; a source in memory is read
// by the caller.
//
// A small frame from a source that does not block is decoded without the pool,
// which starts when more follows.
type decoder struct {
	cfg      *readerConfig
	src      chunkSource
	mayBlock bool // reading the source may block
	memory   bool // the source is a slice in memory
	ctx      context.Context
	workers  []worker
	parts    []parts // state of sharing, one for each worker
	part     func(n int, p *piece, part int)
	pool     *workpool.Pool[piece]
	feed     func() error                // submits pieces to the pool: produce
	started  func(*workpool.Pool[piece]) // called before the pool is used
	job      *workpool.Job[piece]        // the job that the last call of next returned
	single   piece                       // the current piece if there is no pool
	lent     []byte                      // memory of the stored chunk of single, if borrowed
	budget   budget
	running  bool
	pooled   bool
	small    bool  // the frame may be small, and the pool has not begun
	left     int64 // bytes to decode before the pool begins

	ahead   *workpool.Job[piece] // a piece that the caller has read and that the budget does not allow yet
	pending int                  // pieces submitted by the caller and not returned
	due     int                  // bytes of data in the pending pieces
	placed  int                  // number of pending pieces that are decoded into the caller's memory
	end     error                // the error after the last pending piece, once known
}

// A worker decodes the chunks of one frame after another.
type worker struct {
	dec    chunk.Decoder
	limits frame.Limits
	h      *header.Header
}

// open begins a stream and returns the first header.
func (d *decoder) open(ctx context.Context) (*header.Header, error) {
	if d.ctx = ctx; ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	n, jobs := d.cfg.parallelism(0, 0)
	if !d.mayBlock || n == 1 {
		return d.src.Header()
	}
	d.begin(n, jobs)
	j, err := d.pool.Next()
	if err != nil {
		return nil, err
	}
	h := j.Value.item.Header
	d.pool.Release(j)
	return h, nil
}

// start prepares to decode the chunks of a frame with the header h.
func (d *decoder) start(h *header.Header) {
	if d.running {
		return
	}
	n, jobs := d.cfg.parallelism(int(h.TDecomp), int64(h.ChunkSize))
	switch {
	case d.cfg.lend != nil: // one worker, which is borrowed for each chunk
	case n == 1:
		d.grow(n)
	case !d.mayBlock && mayBeSmall(h):
		d.grow(n)
		d.small, d.left = true, shareMin
	default:
		d.begin(n, jobs)
	}
	d.running = true
}

// mayBeSmall reports whether the frame of h may be small. If it is not sealed, its size is
// unknown, but decoding its first chunk alone costs little, unless chunks may have any size.
func mayBeSmall(h *header.Header) bool {
	if h.FrameLen == 0 {
		return !h.VariableChunks && h.ChunkSize <= DefaultChunkSize
	}
	return h.NBytes <= shareMin
}

// grow makes n workers.
func (d *decoder) grow(n int) {
	if len(d.workers) < n {
		d.workers = make([]worker, n)
		for i := range d.workers {
			d.workers[i].limits = d.cfg.limits
		}
	}
}

// begin starts a run of the pool.
func (d *decoder) begin(n, jobs int) {
	d.grow(n)
	if d.pool == nil || d.pool.Workers() != n || d.pool.Jobs() != jobs {
		d.pool, d.parts, d.part = workpool.New(n, jobs, d.decode), make([]parts, n), d.decodePart
		d.feed = d.produce
	}
	d.budget.reset(d.cfg.inFlight)
	d.ahead, d.pending, d.due, d.placed, d.end = nil, 0, 0, 0, nil
	d.running, d.pooled, d.small = true, true, false
	if d.memory {
		d.pool.Start(d.ctx, nil)
	} else {
		d.pool.Start(d.ctx, d.feed)
	}
	d.started(d.pool)
}

// stop ends the goroutines. With abandon it does not wait for the one that reads
// the source, which keeps the memory it may still use. clean reports whether none
// remains.
func (d *decoder) stop(abandon bool) (clean bool) {
	d.job = nil
	if d.cfg.lend != nil {
		d.rest()
	}
	clean = true
	if d.pooled {
		d.pool.Close()
		d.budget.end()
		if clean = d.pool.Produced(!abandon); !clean {
			d.pool = nil
		}
	}
	d.running, d.pooled, d.small = false, false, false
	return clean
}

// next returns the next piece, decoded, which is valid until next is called again. If
// there is one worker or the source is memory, and into has room, next decodes the chunk
// directly into it, and direct is true. Several workers also decode the following chunks
// directly to their places in into. Then into is in use until d.placed is 0 or an error
// is returned, and the caller must call next again with the remaining part of into.
func (d *decoder) next(into []byte) (p *piece, direct bool, err error) {
	if !d.pooled {
		p, direct, err = d.nextInline(into)
		if d.left -= int64(p.item.NBytes); err == nil && d.small && d.left < 0 {
			h := p.item.Header
			d.begin(d.cfg.parallelism(int(h.TDecomp), int64(h.ChunkSize))) // use the pool for the rest
		}
		return p, direct, err
	}
	d.release()
	if d.memory {
		d.fill(into)
		if d.pending == 0 {
			return nil, false, d.end
		}
		d.pending--
	}
	j, err := d.pool.Next()
	if err != nil {
		return nil, false, err
	}
	d.job = j
	p = &j.Value
	if d.memory {
		d.due -= p.newBytes()
	}
	if len(p.into) > 0 {
		d.placed--
		// The caller may have moved into by growing it since the piece was submitted.
		direct = len(into) > 0 && &p.into[0] == &into[0]
	}
	return p, direct, nil
}

func (d *decoder) nextInline(into []byte) (p *piece, direct bool, err error) {
	p = &d.single
	if d.ctx.Err() != nil {
		return p, false, context.Cause(d.ctx)
	}
	if d.cfg.lend != nil {
		d.rest()
	}
	if err := p.read(d.src); err != nil {
		return p, false, err
	}
	if d.cfg.lend != nil {
		direct, err = d.decodeLent(p, into)
		return p, direct, err
	}
	it := &p.item
	if direct = it.Skip == 0 && it.NBytes <= len(into); !direct {
		return p, false, d.decode(0, p)
	}
	if err = it.Verify(); err == nil {
		p.data, err = d.workers[0].decode(into[:0:len(into)], it)
	}
	return p, true, blosc2.At(err, it.N, it.Offset)
}

// release returns the last piece to the pool. Memory beyond its share of the
// limit is dropped.
func (d *decoder) release() {
	if d.job == nil {
		return
	}
	p := &d.job.Value
	p.into, p.data, p.item.Chunk = nil, nil, nil // do not retain the caller's memory
	share := d.cfg.inFlight / int64(d.pool.Jobs())
	if int64(cap(p.in)+cap(p.out)) > share {
		p.in, p.out = nil, nil
	}
	d.budget.give(p.held)
	d.pool.Release(d.job)
	d.job = nil
}

// decode decodes one piece.
func (d *decoder) decode(n int, p *piece) error {
	it := &p.item
	if err := it.Verify(); err != nil {
		return err
	}
	shared, err := d.share(n, p)
	switch {
	case shared:
	case p.into != nil:
		p.data, err = d.workers[n].decode(p.into[:0], it)
	default:
		p.out, err = d.workers[n].decode(p.out[:0], it)
		p.data = p.out
	}
	if err == nil {
		p.data = p.data[it.Skip:]
	}
	return blosc2.At(err, it.N, it.Offset)
}

// decode appends the decoded bytes of a verified chunk to dst.
func (w *worker) decode(dst []byte, it *frame.Item) ([]byte, error) {
	w.setUp(it)
	out, err := w.dec.Decode(dst, it.Chunk)
	if err == nil && len(out) != it.NBytes {
		err = blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "decodes to %d bytes, not %d", len(out), it.NBytes)
	}
	return out, err
}
