package b2nd

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// parallelBytes is the size of the smallest read for which several goroutines pay.
const parallelBytes = 256 << 10

// ReadSlice reads the items from start up to stop (exclusive) along each
// dimension into dst, in C order. dst must have the length of the result.
func (a *Array) ReadSlice(dst []byte, start, stop []int64) error {
	w, err := spans(start, stop)
	if err != nil {
		return err
	}
	return a.ReadWindow(dst, w)
}

func spans(start, stop []int64) (Window, error) {
	if len(start) != len(stop) {
		return nil, &blosc2.OptionError{Option: "stop", Value: stop, Range: "of as many dimensions as start"}
	}
	w := make(Window, len(start))
	for d := range w {
		w[d] = Span{Start: start[d], Stop: stop[d], Step: 1}
	}
	return w, nil
}

// ReadWindow reads the items of w into dst, in C order. dst must have the
// length of the result. Only the blocks that hold these items are fetched and
// decompressed; they are not compared with a digest unless CheckWhole of package frame
// is set. After an error the contents of dst are undefined.
func (a *Array) ReadWindow(dst []byte, w Window) error {
	w, err := w.in(a.grid.shape)
	if err != nil {
		return err
	}
	return a.readWindow(dst, w)
}

// readWindow is ReadWindow for a window within the array.
func (a *Array) readWindow(dst []byte, w Window) error {
	if want := mul(product(w.lens()), a.grid.item); int64(len(dst)) != want {
		return &blosc2.OptionError{Option: "length of dst", Value: len(dst), Range: "the size of the window's items"}
	}
	if len(dst) == 0 {
		return nil
	}
	r := &reading{a: a, w: w, dst: dst, out: strides(w.lens(), a.grid.item)}
	at := a.grid.chunksOf(w)
	workers := a.cfg.workers
	if len(dst) < parallelBytes {
		r.cache, workers = a.cache, 1
	}
	if a.f.Far() && at.count() > 1 {
		return r.far(at, workers)
	}
	if workers > 1 {
		return r.parallel(at.all(), at.count(), workers)
	}
	p := parts.Get().(*part)
	defer p.free()
	for ok := at.start(); ok; ok = at.next() {
		p.at = at.at
		if err := r.chunk(p); err != nil {
			return err
		}
	}
	return nil
}

// each reads the parts of the window in the chunks at n coordinates.
func (r *reading) each(coords iter.Seq[*[MaxDim]int64], n int64, workers int) error {
	if workers > 1 {
		return r.parallel(coords, n, workers)
	}
	p := parts.Get().(*part)
	defer p.free()
	for at := range coords {
		p.at = *at
		if err := r.chunk(p); err != nil {
			return err
		}
	}
	return nil
}

// free releases p for the next small window.
func (p *part) free() {
	if cap(p.whole) > copyGoal {
		p.whole = nil
	}
	parts.Put(p)
}

// parts holds buffers for windows that the caller reads without other workers.
var parts = sync.Pool{New: func() any { return &part{shares: 1, mover: new(mover)} }}

// count returns the number of coordinates.
func (c *counter) count() int64 {
	n := int64(1)
	for d := range c.n {
		n = mul(n, max(c.hi[d]-c.lo[d], 0))
	}
	return n
}

// ReadAll reads the whole array, in C order.
func (a *Array) ReadAll() ([]byte, error) {
	b, err := a.alloc(mul(a.grid.items(), a.grid.item))
	if err != nil {
		return nil, err
	}
	return b, a.ReadWindow(b, All(a.grid.shape))
}

// alloc makes a buffer if the limit allows it.
func (a *Array) alloc(n int64) ([]byte, error) {
	if n > a.cfg.memory || int64(int(n)) != n {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "%d bytes to allocate; the limit is %d (MaxAlloc)", n, a.cfg.memory)
	}
	return make([]byte, n), nil
}

// A reading is the read of one window.
type reading struct {
	a   *Array
	w   Window
	dst []byte
	out []int64 // strides of dst

	cache *frame.BlockCache // nil if the window is large and bypasses the cache
}

// A part is the items of a window in one chunk, or in a share of its blocks,
// and the buffers for reading them.
type part struct {
	at     [MaxDim]int64 // coordinate of the chunk
	share  int           // the number of this share of the chunk's blocks
	shares int
	held   framing.HeldChunk // the chunk, if its blocks are shared and all blocks with items are wanted; otherwise nil
	cells  []cell
	blocks []int
	whole  []byte // the chunk, if it cannot be read by blocks
	mover  *mover
}

// parallel distributes the chunks among workers, or, if there are fewer chunks
// than workers, the blocks of each. No two write the same bytes of dst.
func (r *reading) parallel(coords iter.Seq[*[MaxDim]int64], n int64, workers int) (err error) {
	pool := workpool.New(workers, workers+workpool.Spare, func(_ int, p *part) error { return r.chunk(p) })
	pool.Blocking()
	shares := 1
	if n < int64(workers) && !r.a.plain {
		shares = int(ceilDiv(int64(workers), n))
	}
	var held []framing.HeldChunk
	pool.Start(context.Background(), func() error {
		for at := range coords {
			h, err := r.hold(at, shares)
			if err != nil {
				return err
			}
			if h != nil {
				held = append(held, h)
			}
			for share := range shares {
				j, err := pool.Acquire()
				if err != nil {
					return err
				}
				j.Value.at, j.Value.share, j.Value.shares, j.Value.held = *at, share, shares, h
				pool.Submit(j)
			}
		}
		return nil
	})
	defer func() {
		pool.Close()
		for _, h := range held {
			h.Release()
		}
		workpool.Raise(err)
	}()
	for {
		j, err := pool.Next()
		if j == nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if err != nil {
			return err
		}
		pool.Release(j)
	}
}

// hold reads a chunk whose blocks are shared among workers, if all that hold items
// are wanted. It also compares the chunk with its digest, which a single share
// could not do. For any other chunk hold returns nil.
func (r *reading) hold(at *[MaxDim]int64, shares int) (framing.HeldChunk, error) {
	g := r.a.grid
	if shares == 1 || int64(len(g.cells(nil, r.w, at))) < g.live(at) {
		return nil, nil
	}
	c := counter{n: len(r.w), at: *at}
	return framing.HoldChunk(r.a.f, c.index(g.nchunks))
}

// errBlocks says that a chunk is cut into other blocks than the array's.
var errBlocks = errors.New("b2nd: the chunk's block size differs from the array's")

// chunk reads the part of the window in one chunk.
func (r *reading) chunk(p *part) error {
	g := r.a.grid
	if p.mover == nil {
		p.mover = new(mover)
	}
	p.cells = g.cells(p.cells[:0], r.w, &p.at)
	cells := p.cells[len(p.cells)*p.share/p.shares : len(p.cells)*(p.share+1)/p.shares]
	if len(cells) == 0 {
		return nil
	}
	at := counter{n: len(r.w), at: p.at}
	n := at.index(g.nchunks)
	if !r.a.plain {
		p.blocks = p.blocks[:0]
		for i := range cells {
			p.blocks = append(p.blocks, cells[i].block)
		}
		i := 0
		place := func(_ int, data []byte) error {
			if int64(len(data)) != g.blockBytes {
				return errBlocks
			}
			r.place(p, &cells[i], data)
			i++
			return nil
		}
		var err error
		held := p.held
		// At an edge the blocks of padding are not read, and ReadBlocks compares a chunk
		// with its digest only if all are.
		if live := int64(len(p.cells)); p.shares == 1 && live < product(g.nblocks) && live == g.live(&p.at) {
			if held, err = framing.HoldChunk(r.a.f, n); err != nil {
				return err
			}
			defer held.Release()
		}
		if held != nil {
			err = held.ReadBlocks(p.blocks, place)
		} else {
			err = r.cache.ReadBlocks(r.a.f, n, p.blocks, place)
		}
		if err != errBlocks && !errors.Is(err, blosc2.ErrOption) {
			return err
		}
	}
	// C-Blosc2 accepts any chunk of the right length, whatever its blocks.
	var err error
	if p.whole, err = r.a.f.Chunk(p.whole[:0], n); err != nil {
		return err
	}
	if int64(len(p.whole)) != g.chunkBytes {
		return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "decodes to %d bytes; a chunk of the array must have %d", len(p.whole), g.chunkBytes), n, -1)
	}
	for i := range cells {
		at := int64(cells[i].block) * g.blockBytes
		r.place(p, &cells[i], p.whole[at:at+g.blockBytes])
	}
	return nil
}

// place copies a cell from its block to its place in the window.
func (r *reading) place(p *part, c *cell, block []byte) {
	g, n := r.a.grid, len(r.w)
	from, in, to := g.cellStrides(r.w, c, r.out)
	p.mover.copy(c.count[:n], r.out, from[:n], g.item, r.dst, to, block, in)
}
