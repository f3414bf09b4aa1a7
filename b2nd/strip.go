package b2nd

// stripBytes is the size of the strips in which rows are moved to the blocks of columns and back.
// A strip stays in the L1 cache while its columns are moved one after the other; without strips,
// 8 columns of 8 bytes take three times as long.
const stripBytes = 16 << 10

// stripColumns is the largest number of columns for which strips are used.
const stripColumns = 256

// rowDims returns the number of leading dimensions of rows if each block has one column of
// several, or 0. A column is an index of the other dimensions.
func (g *grid) rowDims() int {
	first, columns := len(g.block), int64(1)
	for first > 0 && g.block[first-1] == 1 && columns*g.nblocks[first-1] <= stripColumns {
		first--
		columns *= g.nblocks[first]
	}
	if columns < 2 {
		return 0
	}
	return first
}

// strips moves a chunk with blocks of one column from C order to its blocks, or back if pack is
// not set. The chunk has the given number of items along each dimension, and the first of them is
// at flat[from:]. It clears the padding of blocks.
func (g *grid) strips(m *mover, chunk []byte, items []int64, flat []byte, from int64, stride []int64, pack bool) {
	n, first := len(items), g.rowDims()
	columns := counter{n: n - first}
	full := true
	for d := first; d < n; d++ {
		columns.hi[d-first] = items[d]
		full = full && items[d] == g.nblocks[d]
	}
	inside := g.inside()
	group := product(g.nblocks[first:]) * g.blockBytes
	var extent [MaxDim]int64
	for d := range n {
		extent[d] = 1
	}
	rows := counter{n: first}
	copy(rows.hi[:], g.nblocks)
	for ok := rows.start(); ok; ok = rows.next() {
		at, full, none, axis := from, full, false, -1
		for d := range first {
			lo := rows.at[d] * g.block[d]
			extent[d] = max(min(items[d]-lo, g.block[d]), 0)
			full = full && extent[d] == g.block[d]
			none = none || extent[d] == 0
			at += lo * stride[d]
			if axis < 0 && extent[d] > 1 {
				axis = d
			}
		}
		blocks := chunk[:group]
		chunk = chunk[group:]
		if pack && !full {
			clear(blocks)
		}
		if none {
			continue
		}
		axis = max(axis, 0)
		total, strip := extent[axis], max(stripBytes/max(stride[axis], 1), 1)
		for lo := int64(0); lo < total; lo += strip {
			extent[axis] = min(strip, total-lo)
			for ok := columns.start(); ok; ok = columns.next() {
				block := columns.index(g.nblocks[first:])*g.blockBytes + lo*inside[axis]
				place := at + lo*stride[axis]
				for d := first; d < n; d++ {
					place += columns.at[d-first] * stride[d]
				}
				if pack {
					m.copy(extent[:n], inside[:n], stride, g.item, blocks, block, flat, place)
				} else {
					m.copy(extent[:n], stride, inside[:n], g.item, flat, place, blocks, block)
				}
			}
		}
	}
}
