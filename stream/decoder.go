package stream

import (
	"context"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/ordered"
)

// A piece is one chunk on its way from its stored form to bytes.
type piece struct {
	item frame.Item
	in   []byte // memory for item.Chunk
	out  []byte // memory for the decoded chunk
	data []byte // what of it is new
	pos  int64  // the source's position behind the chunk
	held int64  // bytes that the budget counts

	parts *parts // of the worker that shares the piece
}

// A decoder decodes the chunks of a source in their order: with one worker in
// the calling goroutine, else in a pool. A source that may make its reader wait
// is read by one more goroutine; where it is memory the caller reads it, and is
// one of the workers.
type decoder struct {
	cfg     *readerConfig
	src     chunkSource
	ctx     context.Context
	workers []worker
	parts   []parts // of each worker
	part    func(n int, p *piece, part int)
	pool    *ordered.Pool[piece]
	job     *ordered.Job[piece] // that the last next gave
	single  piece               // where there is one worker
	budget  budget
	running bool

	memory  bool                // the source is
	ahead   *ordered.Job[piece] // read by the caller, for when the budget allows it
	pending int                 // pieces that the caller submitted and has not got back
	end     error               // behind the last of them, once it is known
}

// A worker decodes chunks of frames with one header after the other.
type worker struct {
	dec    chunk.Decoder
	limits frame.Limits
	h      *header.Header
}

// start begins with the header h of the first frame known.
func (d *decoder) start(ctx context.Context, h *header.Header) {
	n, jobs := d.cfg.crew(int(h.TDecomp), int64(h.ChunkSize))
	if len(d.workers) < n {
		d.workers = make([]worker, n)
		for i := range d.workers {
			d.workers[i].limits = d.cfg.limits
		}
	}
	d.ctx, d.running = ctx, true
	if n == 1 {
		d.pool = nil
		return
	}
	if d.pool == nil || d.pool.Workers() != n || d.pool.Jobs() != jobs {
		d.pool, d.parts, d.part = ordered.New(n, jobs, d.decode), make([]parts, n), d.decodePart
	}
	d.budget.reset(d.cfg.inFlight)
	if !d.memory {
		d.pool.Start(ctx, d.produce)
		return
	}
	d.ahead, d.pending, d.end = nil, 0, nil
	d.pool.Start(ctx, nil)
}

// stop ends the goroutines. With abandon it does not wait for the one that
// reads the source, which keeps what it may still use; clean tells that there
// is none.
func (d *decoder) stop(abandon bool) (clean bool) {
	d.job = nil
	pooled := d.running && d.pool != nil
	d.running = false
	if !pooled {
		return true
	}
	d.pool.Close()
	d.budget.end()
	if !abandon {
		<-d.pool.Produced()
	}
	select {
	case <-d.pool.Produced():
		return true
	default:
		d.pool = nil
		return false
	}
}

// produce reads the source for the pool.
func (d *decoder) produce() error {
	pool, src := d.pool, d.src
	for {
		j, err := pool.Acquire()
		if err != nil {
			return err
		}
		if err := j.Value.read(src); err != nil {
			return err
		}
		if err := d.budget.take(d.ctx, j.Value.held); err != nil {
			return err
		}
		pool.Submit(j)
	}
}

// fill does so in the caller, as far as there is room: two pieces for the one
// that is taken, so that there come to be more of them, and then only while the
// next one is not there.
func (d *decoder) fill() {
	for n := 0; d.end == nil && d.pending < d.pool.Jobs() && (n < 2 || !d.pool.Ready()); n++ {
		j := d.ahead
		if j == nil {
			if j, d.end = d.pool.Acquire(); d.end != nil {
				return
			}
			if d.end = j.Value.read(d.src); d.end != nil {
				return
			}
		}
		if !d.budget.try(j.Value.held) {
			d.ahead = j
			return
		}
		d.ahead = nil
		d.pool.Submit(j)
		d.pending++
	}
}

// read takes the next chunk of the source.
func (p *piece) read(src chunkSource) (err error) {
	if p.item, err = src.Next(p.in); err == nil {
		p.in, p.pos = p.item.Chunk[:0], src.Pos()
		p.held = int64(p.item.NBytes) + int64(len(p.item.Chunk))
	}
	return err
}

// next gives the next piece, decoded, which is valid until next is called
// again. Where there is one worker, and into has room, the chunk is decoded
// straight into it, and direct is true.
func (d *decoder) next(into []byte) (p *piece, direct bool, err error) {
	if d.pool == nil {
		return d.nextInline(into)
	}
	d.release()
	if d.memory {
		d.fill()
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
	return &j.Value, false, nil
}

func (d *decoder) nextInline(into []byte) (p *piece, direct bool, err error) {
	p = &d.single
	if d.ctx.Err() != nil {
		return p, false, context.Cause(d.ctx)
	}
	if err := p.read(d.src); err != nil {
		return p, false, err
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

// release gives the last piece back to the pool. What it holds beyond its
// share of the limit is let go.
func (d *decoder) release() {
	if d.job == nil {
		return
	}
	p := &d.job.Value
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
	if !shared {
		p.out, err = d.workers[n].decode(p.out[:0], it)
	}
	if err == nil {
		p.data = p.out[it.Skip:]
	}
	return blosc2.At(err, it.N, it.Offset)
}

// decode appends the decoded bytes of a chunk, which was verified, to dst.
func (w *worker) decode(dst []byte, it *frame.Item) ([]byte, error) {
	w.setUp(it)
	out, err := w.dec.Decode(dst, it.Chunk)
	if err == nil && len(out) != it.NBytes {
		err = blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "%d bytes instead of %d", len(out), it.NBytes)
	}
	return out, err
}

// A budget bounds the bytes that are in flight where chunks may have any size.
type budget struct {
	mu    sync.Mutex
	left  int64
	idle  int64 // left when nothing is in flight
	ended bool  // nobody waits any more
	freed chan struct{}
}

func (b *budget) reset(n int64) {
	b.left, b.idle, b.ended, b.freed = n, n, false, make(chan struct{}, 1)
}

// end lets go who waits. Nothing will be given back any more.
func (b *budget) end() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
	b.give(0)
}

// try takes n bytes if there are so many, nothing else is in flight, or all has
// ended.
func (b *budget) try(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	ok := b.ended || b.left >= n || b.left == b.idle
	if ok {
		b.left -= n
	}
	return ok
}

// take waits until it has them.
func (b *budget) take(ctx context.Context, n int64) error {
	for !b.try(n) {
		select {
		case <-b.freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// give gives them back.
func (b *budget) give(n int64) {
	b.mu.Lock()
	b.left += n
	b.mu.Unlock()
	select {
	case b.freed <- struct{}{}:
	default:
	}
}
