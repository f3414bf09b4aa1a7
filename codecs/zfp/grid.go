package zfp

// cells calls f with the position of each cell, x varying fastest, until it fails.
func (g *grid) cells(f func(at [maxDims]int) error) error {
	for w := 0; w < g.size[3]; w += cellSide {
		for z := 0; z < g.size[2]; z += cellSide {
			for y := 0; y < g.size[1]; y += cellSide {
				for x := 0; x < g.size[0]; x += cellSide {
					if err := f([maxDims]int{x, y, z, w}); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// rows calls f for each row of a cell, with the offset of the row in the cell and its y,
// z and w coordinates in the cell.
func (g *grid) rows(f func(row int, in [maxDims]int)) {
	count := 1 << (2 * (g.dims - 1))
	for i := range count {
		f(cellSide*i, [maxDims]int{0, i & 3, i >> 2 & 3, i >> 4 & 3})
	}
}

// scatter copies the part of a cell that is within the block to the block.
func (g *grid) scatter(block, cell []byte, at [maxDims]int) {
	width := min(cellSide, g.size[0]-at[0]) * g.typeSize
	g.rows(func(row int, in [maxDims]int) {
		offset := at[0] * g.typeSize
		for d := 1; d < g.dims; d++ {
			if at[d]+in[d] >= g.size[d] {
				return
			}
			offset += (at[d] + in[d]) * g.stride[d]
		}
		copy(block[offset:offset+width], cell[row*g.typeSize:])
	})
}

// gather copies a cell from the block. Positions outside the block are filled so that the
// transform has small coefficients: with the last number along the dimension, except for
// the fourth position, which gets the first number.
func (g *grid) gather(cell, block []byte, at [maxDims]int) {
	size, width := g.typeSize, min(cellSide, g.size[0]-at[0])
	g.rows(func(row int, in [maxDims]int) {
		offset := at[0] * size
		for d := 1; d < g.dims; d++ {
			offset += (at[d] + inside(in[d], g.size[d]-at[d])) * g.stride[d]
		}
		copy(cell[row*size:], block[offset:offset+width*size])
		for x := width; x < cellSide; x++ {
			copy(cell[(row+x)*size:][:size], cell[(row+inside(x, width))*size:])
		}
	})
}

// inside returns the coordinate whose number is used for coordinate i if only n
// coordinates are within the block.
func inside(i, n int) int {
	switch {
	case i < n:
		return i
	case i == cellSide-1:
		return 0
	}
	return n - 1
}
