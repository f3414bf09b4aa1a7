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
func (g *grid) gather(dst, src []byte, i, first int64) {
	n := len(g.shape)
	var at [MaxDim]int64
	for d := n - 1; d >= 0; d-- {
		at[d] = i % g.nchunks[d]
		i /= g.nchunks[d]
	}
	var rows, inside [MaxDim]int64
	step := g.item
	for d := n - 1; d >= 0; d-- {
		rows[d] = step
		step *= g.shape[d]
	}
	step = g.item
	for d := n - 1; d >= 0; d-- {
		inside[d] = step
		step *= g.block[d]
	}

	b := counter{n: n}
	copy(b.hi[:], g.nblocks)
	block := dst
	for ok := b.start(); ok; ok = b.next() {
		var extent [MaxDim]int64
		from, full := int64(0), true
		for d := range n {
			lo := at[d]*g.chunk[d] + b.at[d]*g.block[d]
			hi := min(lo+g.block[d], (at[d]+1)*g.chunk[d], g.shape[d])
			extent[d] = max(hi-lo, 0)
			full = full && extent[d] == g.block[d]
			if d == 0 {
				lo -= first
			}
			from += lo * rows[d]
		}
		out := block[:g.blockBytes]
		if !full {
			clear(out)
		}
		if product(extent[:n]) > 0 {
			cp := newBox(extent[:n], inside[:n], rows[:n], g.item)
			cp.copy(out, 0, src, from)
		}
		block = block[g.blockBytes:]
	}
}
