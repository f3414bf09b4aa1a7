package b2nd

// A counter iterates in C order over all coordinates from lo up to hi
// (exclusive) in n dimensions.
type counter struct {
	n      int
	lo, hi [MaxDim]int64
	at     [MaxDim]int64
}

// start moves to the first coordinate, and returns false if there is none.
func (c *counter) start() bool {
	c.at = c.lo
	for d := range c.n {
		if c.lo[d] >= c.hi[d] {
			return false
		}
	}
	return true
}

// next moves to the next coordinate, and returns false after the last.
func (c *counter) next() bool {
	for d := c.n - 1; d >= 0; d-- {
		if c.at[d]++; c.at[d] < c.hi[d] {
			return true
		}
		c.at[d] = c.lo[d]
	}
	return false
}

// index returns the index of the current coordinate in the C order of shape.
func (c *counter) index(shape []int64) int64 {
	i := int64(0)
	for d := range c.n {
		i = i*shape[d] + c.at[d]
	}
	return i
}

// A cell is the part of a window in one block: the position of its first item
// in the block, its shape, and its position in the window, all in items along
// each dimension.
type cell struct {
	block int // number of the block in its chunk
	in    [MaxDim]int64
	count [MaxDim]int64
	out   [MaxDim]int64
}

// chunksOf returns the counter over the coordinates of all chunks that may hold
// items of w.
func (g *grid) chunksOf(w Window) counter {
	c := counter{n: len(w)}
	for d, s := range w {
		if s.Len() == 0 {
			continue // lo and hi remain 0, so there are no coordinates
		}
		last := s.Start + (s.Len()-1)*s.Step
		c.lo[d], c.hi[d] = s.Start/g.chunk[d], last/g.chunk[d]+1
	}
	return c
}

// cells appends the cells of one chunk that hold items of w, in the order of
// their blocks. A chunk between two steps of w has none.
func (g *grid) cells(dst []cell, w Window, chunk *[MaxDim]int64) []cell {
	b := counter{n: len(w)}
	for d, s := range w {
		origin := chunk[d] * g.chunk[d]
		end := min(origin+g.chunk[d], s.Stop)
		first := s.firstFrom(origin)
		if first >= end {
			return dst
		}
		b.lo[d] = (first - origin) / g.block[d]
		b.hi[d] = (end-1-origin)/g.block[d] + 1
	}
	if !b.start() {
		return dst
	}
next:
	for ok := true; ok; ok = b.next() {
		var c cell
		for d, s := range w {
			origin := chunk[d] * g.chunk[d]
			lo := origin + b.at[d]*g.block[d]
			hi := min(lo+g.block[d], origin+g.chunk[d], s.Stop)
			first := s.firstFrom(lo)
			if first >= hi {
				continue next
			}
			c.in[d] = first - lo
			c.count[d] = ceilDiv(hi-first, s.Step)
			c.out[d] = (first - s.Start) / s.Step
		}
		c.block = int(b.index(g.nblocks))
		dst = append(dst, c)
	}
	return dst
}

// live returns the number of blocks of a chunk that hold items of the array. At the
// array's edge the others are padding.
func (g *grid) live(chunk *[MaxDim]int64) int64 {
	n := int64(1)
	for d, size := range g.shape {
		n *= ceilDiv(min(g.chunk[d], size-chunk[d]*g.chunk[d]), g.block[d])
	}
	return n
}

// firstFrom returns the first item of the span that is not before i.
func (s Span) firstFrom(i int64) int64 {
	if i <= s.Start {
		return s.Start
	}
	steps := ceilDiv(i-s.Start, s.Step)
	if steps > (1<<62)/s.Step {
		return 1 << 62
	}
	return s.Start + steps*s.Step
}
