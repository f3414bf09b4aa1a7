package b2nd

// cellStrides returns the strides of w's items in a block, in bytes, and the
// offsets of a cell in the block and in the window, which has the strides out.
func (g *grid) cellStrides(w Window, c *cell, out []int64) (src [MaxDim]int64, in, to int64) {
	n := len(w)
	step := g.item
	for d := n - 1; d >= 0; d-- {
		src[d] = step * w[d].Step
		in += c.in[d] * step
		to += c.out[d] * out[d]
		step *= g.block[d]
	}
	return src, in, to
}
