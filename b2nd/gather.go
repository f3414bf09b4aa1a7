package b2nd

// gather fills dst with chunk i of the array. src holds whole rows in C order,
// from row first on. Padding becomes zeros.
func (g *grid) gather(m *mover, dst, src []byte, i, first int64) {
	n := len(g.shape)
	var rows, inside, origin, items, extent [MaxDim]int64
	step, in := g.item, g.item
	for d := n - 1; d >= 0; d-- {
		rows[d], inside[d] = step, in
		step *= g.shape[d]
		in *= g.block[d]
		origin[d] = i % g.nchunks[d] * g.chunk[d]
		items[d] = min(g.chunk[d], g.shape[d]-origin[d])
		i /= g.nchunks[d]
	}
	if n > 0 {
		origin[0] -= first
	}
	b := counter{n: n}
	copy(b.hi[:], g.nblocks)
	for ok := b.start(); ok; ok = b.next() {
		from, full, none := int64(0), true, false
		for d := range n {
			lo := b.at[d] * g.block[d]
			extent[d] = max(min(items[d]-lo, g.block[d]), 0)
			full = full && extent[d] == g.block[d]
			none = none || extent[d] == 0
			from += (origin[d] + lo) * rows[d]
		}
		block := dst[:g.blockBytes]
		if !full {
			clear(block) // clears the padding, and leaves the block in the cache
		}
		if !none {
			m.copy(extent[:n], inside[:n], rows[:n], g.item, block, 0, src, from)
		}
		dst = dst[g.blockBytes:]
	}
}
