package stream

import (
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// produce reads the source for the pool: the first header, as a separate piece,
// and the chunks.
func (d *decoder) produce() error {
	pool, src := d.pool, d.src
	if d.mayBlock {
		if err := d.produceHeader(pool, src); err != nil {
			return err
		}
	}
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

// produceHeader reads the header. It may ask for fewer workers than there are.
func (d *decoder) produceHeader(pool *workpool.Pool[piece], src chunkSource) error {
	j, err := pool.Acquire()
	if err != nil {
		return err
	}
	h, err := src.Header()
	if err != nil {
		return err
	}
	n, _ := d.cfg.parallelism(int(h.TDecomp), int64(h.ChunkSize))
	pool.Limit(n)
	j.Value.item = frame.Item{Header: h}
	pool.Pass(j)
	return nil
}

// fill does the work of produce in the caller's goroutine. A call submits up to two
// pieces, so that the number in flight grows, and more only while the next result is not
// ready. The data of the pieces belong into into, as far as it has room.
func (d *decoder) fill(into []byte) {
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
		p := &j.Value
		if end := d.due + p.item.NBytes; p.item.Skip == 0 && p.item.NBytes > 0 && end <= len(into) {
			p.into = into[d.due:end:end]
			d.placed++
		}
		d.due += p.newBytes()
		d.pool.Submit(j)
		d.pending++
	}
}

// newBytes returns how many bytes of the piece were not returned before.
func (p *piece) newBytes() int { return p.item.NBytes - p.item.Skip }

// read takes the next chunk of the source.
func (p *piece) read(src chunkSource) (err error) {
	p.into = nil
	if p.item, err = src.Next(p.in); err == nil {
		if !src.Shared() {
			p.in = p.item.Chunk[:0]
		}
		p.pos = src.Pos()
		p.held = int64(p.item.NBytes) + int64(len(p.item.Chunk))
	}
	return err
}
