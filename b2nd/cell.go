package b2nd

// cellBox gives the copy of a cell from its block to a window laid out with
// the strides out, and the places in both where it begins.
func (g *grid) cellBox(w Window, c *cell, out []int64) (b box, in, to int64) {
	var src [MaxDim]int64
	n := len(w)
	step := g.item
	for d := n - 1; d >= 0; d-- {
		src[d] = step * w[d].Step
		in += c.in[d] * step
		to += c.out[d] * out[d]
		step *= g.block[d]
	}
	return newBox(c.count[:n], out[:n], src[:n], g.item), in, to
}

// gather fills dst with chunk number i of the array of which src holds whole
// rows in C order, from row first on. Padding becomes zeros.
//
// Blocks that are neighbours along the last dimension are filled together, row
// by row, so that src is read in longer pieces.
func (g *grid) gather(dst, src []byte, i, first int64) {
	last := len(g.shape) - 1
	if last < 0 {
		copy(dst, src)
		return
	}
	var at [MaxDim]int64
	for d := last; d >= 0; d-- {
		at[d] = i % g.nchunks[d]
		i /= g.nchunks[d]
	}
	// Along the last dimension there are two steps: to the next block, and to
	// the next item.
	var in, out [MaxDim + 1]int64
	step, inside := g.item, g.item
	for d := last; d >= 0; d-- {
		in[d], out[d] = step, inside
		step *= g.shape[d]
		inside *= g.block[d]
	}
	begin := at[last] * g.chunk[last]
	items := min(g.chunk[last], g.shape[last]-begin)
	r := rowOfBlocks{g: g, whole: items / g.block[last], rest: items % g.block[last], in: in, out: out}
	begin *= g.item

	b := counter{n: last}
	copy(b.hi[:], g.nblocks[:last])
	size := g.nblocks[last] * g.blockBytes
	for ok := b.start(); ok; ok = b.next() {
		from := begin - first*in[0]
		for d := range last {
			lo := at[d]*g.chunk[d] + b.at[d]*g.block[d]
			hi := min(lo+g.block[d], (at[d]+1)*g.chunk[d], g.shape[d])
			r.extent[d] = max(hi-lo, 0)
			from += lo * in[d]
		}
		if product(r.extent[:last]) == 0 {
			clear(dst[:size])
		} else {
			r.fill(dst[:size], src, from)
		}
		dst = dst[size:]
	}
}

// A rowOfBlocks is the blocks of a chunk that are neighbours along the last
// dimension: some whole, perhaps one that holds rest items along it, the others
// empty.
type rowOfBlocks struct {
	g           *grid
	whole, rest int64
	in, out     [MaxDim + 1]int64 // bytes from item to item, in src and within a block
	extent      [MaxDim + 1]int64 // items along the other dimensions
}

// fill fills the row with what begins at src[from:].
func (r *rowOfBlocks) fill(dst, src []byte, from int64) {
	g, last := r.g, len(r.g.shape)-1
	extent, in, out := r.extent[:last+1], r.in[:last+1], r.out[:last+1]
	width := g.block[last]
	extent[last] = width
	for i := range r.whole {
		clearPadding(dst[i*g.blockBytes:][:g.blockBytes], extent, g.block, out)
	}
	if r.whole > 0 {
		e, from2, to := r.extent, r.in, r.out
		e[last], from2[last], to[last] = r.whole, width*g.item, g.blockBytes
		e[last+1], from2[last+1], to[last+1] = width, g.item, g.item
		b := newBox(e[:last+2], to[:last+2], from2[:last+2], g.item)
		b.copy(dst, 0, src, from)
		dst = dst[r.whole*g.blockBytes:]
		from += r.whole * width * g.item
	}
	if r.rest > 0 {
		extent[last] = r.rest
		clearPadding(dst[:g.blockBytes], extent, g.block, out)
		b := newBox(extent, out, in, g.item)
		b.copy(dst, 0, src, from)
		dst = dst[g.blockBytes:]
	}
	clear(dst)
}

// clearPadding clears what lies beyond extent in a block.
func clearPadding(b []byte, extent, block, stride []int64) {
	n := len(extent)
	for n > 0 && extent[n-1] == block[n-1] {
		n--
	}
	if n > 0 {
		clearBeyond(b, extent[:n], stride)
	}
}

func clearBeyond(b []byte, extent, stride []int64) {
	live := extent[0] * stride[0]
	clear(b[live:])
	if len(extent) == 1 {
		return
	}
	for at := int64(0); at < live; at += stride[0] {
		clearBeyond(b[at:at+stride[0]], extent[1:], stride[1:])
	}
}
