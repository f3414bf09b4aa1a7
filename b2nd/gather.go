package b2nd

// gather fills dst with chunk i of the array. src holds whole rows in C order,
// from row first on. Padding becomes zeros.
func (g *grid) gather(m *mover, dst, src []byte, i, first int64) {
	n := len(g.shape)
	var rows, items [MaxDim]int64
	step, from := g.item, int64(0)
	for d := n - 1; d >= 0; d-- {
		origin := i % g.nchunks[d] * g.chunk[d]
		i /= g.nchunks[d]
		rows[d], items[d] = step, min(g.chunk[d], g.shape[d]-origin)
		if d == 0 {
			origin -= first
		}
		from += origin * step
		step *= g.shape[d]
	}
	g.pack(m, dst, items[:n], src, from, rows[:n])
}
