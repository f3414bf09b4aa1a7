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
	// A row of blocks has one more dimension: the last two are which of its
	// blocks, and which item in that.
	var in, out, extent [MaxDim + 1]int64
	step, inside := g.item*g.shape[last], g.item*g.block[last]
	out[last], in[last] = g.blockBytes, inside
	out[last+1], in[last+1] = g.item, g.item
	for d := last - 1; d >= 0; d-- {
		in[d], out[d] = step, inside
		step *= g.shape[d]
		inside *= g.block[d]
	}
	begin := at[last] * g.chunk[last]
	items := min(g.chunk[last], g.shape[last]-begin)
	whole, rest := items/g.block[last], items%g.block[last]
	begin *= g.item
	if last == 0 {
		begin -= first * g.item
	} else {
		begin -= first * in[0]
	}

	b := counter{n: last}
	copy(b.hi[:], g.nblocks[:last])
	size := g.nblocks[last] * g.blockBytes
	for ok := b.start(); ok; ok = b.next() {
		from, full := begin, true
		for d := range last {
			lo := at[d]*g.chunk[d] + b.at[d]*g.block[d]
			hi := min(lo+g.block[d], (at[d]+1)*g.chunk[d], g.shape[d])
			extent[d] = max(hi-lo, 0)
			full = full && extent[d] == g.block[d]
			from += lo * in[d]
		}
		row := dst[:size]
		dst = dst[size:]
		if full {
			clear(row[whole*g.blockBytes:])
		} else {
			clear(row)
		}
		if product(extent[:last]) == 0 {
			continue
		}
		if whole > 0 {
			extent[last], extent[last+1] = whole, g.block[last]
			cp := newBox(extent[:last+2], out[:last+2], in[:last+2], g.item)
			cp.copy(row, 0, src, from)
		}
		if rest > 0 {
			extent[last], extent[last+1] = 1, rest
			cp := newBox(extent[:last+2], out[:last+2], in[:last+2], g.item)
			cp.copy(row, whole*g.blockBytes, src, from+whole*in[last])
		}
	}
}
