package b2nd

// cellStrides returns the bytes from one item of w to the next in a block, and where
// a cell of it begins there, and in the window, laid out with the strides out.
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
