package b2nd

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Cut describes how an array of known shape is divided into chunks. It is for
// programs that make single chunks, perhaps on several machines; a Writer needs none.
// It is for one goroutine at a time.
type Cut struct {
	grid  *grid
	desc  *meta.B2ND
	mover mover
}

// Cut returns the Cut of the array that the Spec describes. The first dimension must be
// known.
func (s Spec) Cut() (*Cut, error) {
	if len(s.Shape) > 0 && s.Shape[0] == Unknown {
		return nil, &blosc2.OptionError{Option: "shape", Value: s.Shape, Range: "known"}
	}
	g, desc, err := s.plan()
	if err != nil {
		return nil, err
	}
	return &Cut{grid: g, desc: desc}, nil
}

// NewCut returns the Cut of the array with the given descriptor, whose items have
// itemSize bytes. An invalid descriptor returns blosc2.ErrCorrupt.
func NewCut(desc *meta.B2ND, itemSize int) (*Cut, error) {
	if err := framing.Need(desc != nil, "descriptor", "a *meta.B2ND"); err != nil {
		return nil, err
	}
	g, err := newGrid(desc.Shape, desc.ChunkShape, desc.BlockShape, int64(itemSize))
	if err != nil {
		return nil, err
	}
	return &Cut{grid: g, desc: desc}, nil
}

// Descriptor returns the descriptor of the array. It must not be changed.
func (c *Cut) Descriptor() *meta.B2ND { return c.desc }

// Shape returns the number of items along each dimension.
func (c *Cut) Shape() []int64 { return slices.Clone(c.grid.shape) }

// ChunkShape returns the number of items of a chunk along each dimension.
func (c *Cut) ChunkShape() []int64 { return slices.Clone(c.grid.chunk) }

// BlockShape returns the number of items of a block along each dimension.
func (c *Cut) BlockShape() []int64 { return slices.Clone(c.grid.block) }

// ChunkCounts returns the number of chunks along each dimension.
func (c *Cut) ChunkCounts() []int64 { return slices.Clone(c.grid.nchunks) }

// NumChunks returns the number of chunks.
func (c *Cut) NumChunks() int64 { return c.grid.chunks() }

// ItemSize returns the bytes of an item.
func (c *Cut) ItemSize() int { return int(c.grid.item) }

// ChunkBytes returns the decoded bytes of a chunk, padding included.
func (c *Cut) ChunkBytes() int64 { return c.grid.chunkBytes }

// BlockBytes returns the decoded bytes of a block, padding included.
func (c *Cut) BlockBytes() int64 { return c.grid.blockBytes }

// Window returns the window of the array in chunk n, without padding. It panics
// if n is out of range.
func (c *Cut) Window(n int64) Window {
	g := c.grid
	if n < 0 || n >= g.chunks() {
		panic(fmt.Sprintf("b2nd: chunk %d out of range of %d chunks", n, g.chunks()))
	}
	w := make(Window, len(g.shape))
	for d := len(w) - 1; d >= 0; d-- {
		start := n % g.nchunks[d] * g.chunk[d]
		w[d] = Span{Start: start, Stop: min(start+g.chunk[d], g.shape[d]), Step: 1}
		n /= g.nchunks[d]
	}
	return w
}

// Pack builds the decoded bytes of chunk n: it fills dst, of ChunkBytes bytes, from
// src, which holds the items of a window in C order. The window must hold all items of
// Window(n), with steps of 1, and dst must not overlap src.
func (c *Cut) Pack(dst []byte, n int64, src []byte, w Window) error {
	part := c.Window(n)
	var items [MaxDim]int64
	from := int64(0)
	step := c.grid.item
	stride := make([]int64, len(w))
	for d := len(w) - 1; d >= 0; d-- {
		if d >= len(part) || w[d].Start > part[d].Start || w[d].Stop < part[d].Stop {
			return &blosc2.OptionError{Option: "window", Value: w, Range: "a window that contains chunk " + fmt.Sprint(n)}
		}
		stride[d], items[d] = step, part[d].Stop-part[d].Start
		from += (part[d].Start - w[d].Start) * step
		step = mul(step, w[d].Stop-w[d].Start)
	}
	if len(w) != len(part) || int64(len(src)) != step || int64(len(dst)) != c.grid.chunkBytes {
		return &blosc2.OptionError{Option: "bytes of a chunk and its window", Value: []int{len(dst), len(src)}, Range: fmt.Sprintf("%d and %d", c.grid.chunkBytes, step)}
	}
	c.grid.pack(&c.mover, dst, items[:len(part)], src, from, stride)
	return nil
}

// pack fills dst with a chunk, block by block. The chunk has the given number of items
// along each dimension, and the first of them is at src[from:]. Padding becomes zeros.
func (g *grid) pack(m *mover, dst []byte, items []int64, src []byte, from int64, stride []int64) {
	n := len(items)
	if g.rowDims() > 0 {
		g.strips(m, dst, items, src, from, stride, true)
		return
	}
	inside := g.inside()
	var extent [MaxDim]int64
	b := counter{n: n}
	copy(b.hi[:], g.nblocks)
	for ok := b.start(); ok; ok = b.next() {
		at, full, none := from, true, false
		for d := range n {
			lo := b.at[d] * g.block[d]
			extent[d] = max(min(items[d]-lo, g.block[d]), 0)
			full = full && extent[d] == g.block[d]
			none = none || extent[d] == 0
			at += lo * stride[d]
		}
		block := dst[:g.blockBytes]
		if !full {
			clear(block) // clears the padding, and leaves the block in the cache
		}
		if !none {
			m.copy(extent[:n], inside[:n], stride, g.item, block, 0, src, at)
		}
		dst = dst[g.blockBytes:]
	}
}

// inside returns the strides of the items in a block, in bytes.
func (g *grid) inside() (s [MaxDim]int64) {
	step := g.item
	for d := len(g.block) - 1; d >= 0; d-- {
		s[d] = step
		step *= g.block[d]
	}
	return s
}
