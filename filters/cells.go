package filters

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
)

// maxCellDims is the largest number of dimensions that ndcell and ndmean support.
const maxCellDims = 8

// A cells divides a block of an array into boxes with sides of a given length. The last
// boxes along each dimension may be smaller.
type cells struct {
	ndim   int
	shape  [maxCellDims]int // shape of the block, in items
	side   [maxCellDims]int
	stride [maxCellDims]int // number of items from one index of the dimension to the next
	items  int              // number of items in the block
}

// newCells checks the parameters and returns the cells with sides of c items. If clip is
// false, c to the power of the number of dimensions must not exceed the number of items
// in the block. If clip is true, the side in each dimension is at most the dimension.
func newCells(p Params, c int, clip bool) (cells, error) {
	g := cells{ndim: len(p.BlockShape), items: 1}
	if g.ndim < 1 || g.ndim > maxCellDims {
		return g, fmt.Errorf("it requires an array of 1 to %d dimensions; this one has %d", maxCellDims, g.ndim)
	}
	if c < 1 {
		return g, fmt.Errorf("its meta, the side of a cell, must be positive, not %d", c)
	}
	for d := g.ndim - 1; d >= 0; d-- {
		n := int(p.BlockShape[d])
		g.shape[d], g.side[d], g.stride[d] = n, c, g.items
		if clip {
			g.side[d] = min(c, n)
		}
		if n < 1 || g.items > (1<<31-1)/n {
			return g, fmt.Errorf("the block shape %v is not positive or is too large", p.BlockShape)
		}
		g.items *= n
	}
	volume := 1
	for _, side := range g.side[:g.ndim] {
		if volume > g.items/side {
			return g, fmt.Errorf("a cell of side %d is larger than the block %v", c, p.BlockShape)
		}
		volume *= side
	}
	return g, nil
}

// forBlock is like newCells, for a block of n bytes; its error is about data.
func (f builtin) forBlock(n int, p Params, c int, clip bool) (cells, error) {
	g, err := newCells(p, c, clip)
	if err == nil && int64(g.items)*int64(p.itemSize()) != int64(n) {
		err = fmt.Errorf("the block has %d bytes, not %d items of %d", n, g.items, p.itemSize())
	}
	if err == nil {
		return g, nil
	}
	kind := blosc2.ErrCorrupt
	if p.BlockShape == nil {
		kind = blosc2.ErrUnsupported // a chunk outside a frame does not record the shape of the array
	}
	return g, blosc2.Errorf(blosc2.PartBlock, kind, "filter %s: %v", f.Name(), err)
}

// optionError returns an error if blocks cannot be encoded with a filter of
// cells.
func (f builtin) optionError(p Params, why error) error {
	return &blosc2.OptionError{
		Option: "filter " + f.Name(),
		Value:  fmt.Sprintf("with meta %d and block shape %v", p.Meta, p.BlockShape),
		Range:  fmt.Sprintf("applicable to the block: %v", why),
	}
}

// A cell is a box of items in a block.
type cell struct {
	origin int // number of the cell's first item
	extent [maxCellDims]int
}

// each calls visit for every cell, in C order.
func (g *cells) each(visit func(cell)) {
	var at [maxCellDims]int // index of the cell along each dimension
	for {
		var c cell
		for d := range g.ndim {
			// C-Blosc2 uses the side of dimension 0 for all dimensions. If clipping makes
			// the sides differ, the cells of ndmean begin at wrong positions.
			c.origin += at[d] * g.side[0] * g.stride[d]
			c.extent[d] = min(g.side[d], g.shape[d]-at[d]*g.side[d])
		}
		visit(c)
		d := g.ndim - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d]*g.side[d] < g.shape[d] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// rows calls visit with the number of the first item of every row of the cell, in C
// order. The length of a row is the cell's extent in the last dimension.
func (g *cells) rows(c cell, visit func(first int)) {
	var at [maxCellDims]int
	first := c.origin
	for {
		visit(first)
		d := g.ndim - 2
		for ; d >= 0; d-- {
			first += g.stride[d]
			if at[d]++; at[d] < c.extent[d] {
				break
			}
			first -= at[d] * g.stride[d]
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// backward moves the items of src, which are stored cell by cell, to their positions in
// dst. It drops items for which C-Blosc2 computes a position outside the block.
func (g *cells) backward(dst, src []byte, size int) {
	g.each(func(c cell) {
		row := c.extent[g.ndim-1] * size
		g.rows(c, func(first int) {
			if 0 <= first && first < g.items {
				copy(dst[first*size:], src[:row])
			}
			src = src[row:]
		})
	})
}
