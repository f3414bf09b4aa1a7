package b2nd

import "github.com/seed03b80dae/blosc2/internal/framing"

// slabRows returns how many rows of the current slab are complete.
func (a *Writer) slabRows() int64 {
	if len(a.grid.shape) == 0 {
		return 0
	}
	return int64(len(a.slab)) / (a.full / a.grid.chunk[0])
}

// flushRows writes the complete rows of the current slab to a file. last
// reports that no more rows follow.
func (a *Writer) flushRows(last bool) error {
	if !a.growing {
		return nil
	}
	if a.err = a.divide(a.slab); a.err != nil {
		return a.err
	}
	if a.flushed == nil {
		one, err := a.grid.oneRow()
		if err != nil {
			return err
		}
		a.flushed, a.rowGrid = a.rowsFrom, one
	}
	ok, err := framing.Rows(a.w).Flush(a.slabRows(), a.flushed, last)
	a.logged = ok
	return err
}

// flushShort writes the rows of a slab that is about to be put and whose chunks
// were written before with fewer rows; those chunks are needed until the next
// commit.
func (a *Writer) flushShort(slab []byte) error {
	if !a.short {
		return nil
	}
	a.short = false
	held := a.slab
	a.slab = slab
	err := a.flushRows(false)
	a.slab = held
	a.err = err
	return err
}

// rowsFrom returns the rows of the current slab from one on in the order of
// their chunks: the bytes of each block that a row crosses, chunk by chunk.
func (a *Writer) rowsFrom(from int64) []byte {
	g := a.grid
	row := a.full / g.chunk[0]
	rows := a.slab[from*row : a.slabRows()*row]
	one := a.rowGrid
	perRow := product(one.nchunks[1:])
	if perRow == 1 && one.chunkBytes == row && (product(one.nblocks) == 1 || one.blockBytes == one.item) {
		return rows // blocks of one item are in C order too
	}
	n := int64(len(rows)) / row
	if size := n * perRow * one.chunkBytes; int64(cap(a.rowBuf)) < size {
		a.rowBuf = make([]byte, size)
	} else {
		a.rowBuf = a.rowBuf[:size]
	}
	one.shape[0], one.nchunks[0] = n, n
	for i := range n * perRow {
		one.gather(&a.mover, a.rowBuf[i*one.chunkBytes:(i+1)*one.chunkBytes], rows, i, 0)
	}
	return a.rowBuf
}

// oneRow returns the grid of an array of one row, whose chunks and blocks have one row.
func (g *grid) oneRow() (*grid, error) {
	chunks, blocks := narrow(g.chunk), narrow(g.block)
	chunks[0], blocks[0] = 1, 1
	shape := append([]int64{1}, g.shape[1:]...)
	return newGrid(shape, chunks, blocks, g.item)
}
