package b2nd

// slabs divides the chunks of an array, in order, into slabs that are contiguous in
// C order. A slab is the chunks that are adjacent along the first dimension in
// which a chunk has more than one item.
type slabs struct {
	axis   int   // the dimension that slabs divide; later ones are whole
	chunks int64 // number of chunks of a slab
	rows   int64 // items of a slab along axis; the last one at the edge has fewer
	row    int64 // bytes of an item along axis
}

func (g *grid) slabs() slabs {
	n := len(g.shape)
	if n == 0 {
		return slabs{chunks: 1, rows: 1, row: g.item}
	}
	s := slabs{axis: n - 1}
	for d := range n {
		if g.chunk[d] > 1 {
			s.axis = d
			break
		}
	}
	s.rows = g.chunk[s.axis]
	s.chunks = product(g.nchunks[s.axis+1:])
	s.row = mul(product(g.shape[s.axis+1:]), g.item)
	return s
}

// rowsOf returns the number of rows of slab i.
func (g *grid) rowsOf(s slabs, i int64) int64 {
	if len(g.shape) == 0 {
		return 1
	}
	at := i % max(g.nchunks[s.axis], 1)
	return min(s.rows, g.shape[s.axis]-at*s.rows)
}

// scatter copies the items of chunk i of a slab with the given rows to dst, the
// slab in C order, without padding.
func (g *grid) scatter(m *mover, s slabs, dst, src []byte, i, rows int64) {
	n := len(g.shape)
	var out, inside, origin, items, extent [MaxDim]int64
	step, in := g.item, g.item
	for d := n - 1; d >= 0; d-- {
		inside[d] = in
		in *= g.block[d]
		items[d] = 1
		switch {
		case d > s.axis:
			origin[d] = i % g.nchunks[d] * g.chunk[d]
			items[d] = min(g.chunk[d], g.shape[d]-origin[d])
			i /= g.nchunks[d]
			out[d] = step
			step *= g.shape[d]
		case d == s.axis:
			items[d] = rows
			out[d] = step
		}
	}
	if g.rowDims() > 0 {
		from := int64(0)
		for d := range n {
			from += origin[d] * out[d]
		}
		g.strips(m, src, items[:n], dst, from, out[:n], false)
		return
	}
	b := counter{n: n}
	copy(b.hi[:], g.nblocks)
	for ok := b.start(); ok; ok = b.next() {
		to, none := int64(0), false
		for d := range n {
			lo := b.at[d] * g.block[d]
			extent[d] = max(min(items[d]-lo, g.block[d]), 0)
			none = none || extent[d] == 0
			to += (origin[d] + lo) * out[d]
		}
		if !none {
			m.copy(extent[:n], out[:n], inside[:n], g.item, dst, to, src, 0)
		}
		src = src[g.blockBytes:]
	}
}
