package b2nd

import (
	"slices"

	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

const (
	// maxColumns is the largest number of columns that may get blocks of their own.
	maxColumns = 64
	// A column's blocks are as large as others, but those of the same rows have at most rowGroup
	// bytes together, because reading a row means to read all of them. Each has at least
	// leastColumn bytes.
	rowGroup    = 2 << 20
	leastColumn = 32 << 10
	// Rows and columns are compared on a layoutPart of the first slab, from columnPlaces places,
	// of leastLayout to mostLayout bytes.
	layoutPart   = 64
	leastLayout  = 32 << 10
	mostLayout   = 128 << 10
	columnPlaces = 4
)

// divide chooses the shape of blocks for data like the first slab, if Auto may: blocks of several
// columns, as NewWriter has chosen them, but with little padding, or blocks of one column.
func (a *Writer) divide(slab []byte) error {
	size := a.blockSize
	if size == 0 || len(slab) == 0 {
		return nil
	}
	a.blockSize = 0
	if !framing.Rows(a.w).Choosing() {
		return nil
	}
	g := a.grid.even()
	if columns, n := a.grid.columns(size); n > 1 && len(slab) >= leastLayout {
		rows := someRows(slab, n*int(g.item))
		better, err := framing.Rows(a.w).Columns(rows, n, func() []byte { return a.transposed(rows, n) })
		if err != nil {
			return err
		}
		if better {
			g = columns
		}
	}
	if slices.Equal(g.block, a.grid.block) {
		return nil
	}
	desc := *a.desc
	desc.BlockShape = narrow(g.block)
	value, err := desc.Append(nil)
	if err != nil {
		return err
	}
	if _, err := framing.Rows(a.w).UpdateMetalayer(meta.B2NDName, value); err != nil {
		return err
	}
	framing.Rows(a.w).Divide(int(g.chunkBytes), int(g.blockBytes), desc.BlockShape)
	a.grid, a.desc = g, &desc
	return nil
}

// even returns the grid with as many blocks, the last of which are about as long as the others.
func (g *grid) even() *grid {
	blocks := make([]int64, len(g.block))
	for d, n := range g.block {
		blocks[d] = ceilDiv(g.chunk[d], max(ceilDiv(g.chunk[d], max(n, 1)), 1))
	}
	n, err := newGrid(g.shape, narrow(g.chunk), narrow(blocks), g.item)
	if err != nil {
		return g
	}
	return n
}

// columns returns the grid with blocks of one column, of up to size bytes, and the number of
// columns: the items of the last dimensions, if each chunk has all of them and they are at most
// maxColumns.
func (g *grid) columns(size int64) (*grid, int) {
	first, columns := len(g.chunk), int64(1)
	for first > 1 && g.chunk[first-1] == g.shape[first-1] && columns*g.chunk[first-1] <= maxColumns {
		first--
		columns *= g.chunk[first]
	}
	if columns < 2 {
		return g, 1
	}
	size = min(size, max(rowGroup/columns, leastColumn))
	blocks := partition(max(size/g.item, 1), g.chunk[:first], nil)
	for range g.chunk[first:] {
		blocks = append(blocks, 1)
	}
	n, err := newGrid(g.shape, narrow(g.chunk), narrow(blocks), g.item)
	if err != nil {
		return g, 1
	}
	return n.even(), int(columns)
}

// someRows returns rows from a few places of the slab. A row has the given number of bytes.
func someRows(slab []byte, row int) []byte {
	size := min(max(len(slab)/layoutPart, leastLayout), mostLayout)
	n := size / columnPlaces / row
	if n == 0 || size >= len(slab)/2 {
		return slab[:min(size, len(slab))/row*row]
	}
	total := len(slab) / row
	b := make([]byte, 0, columnPlaces*n*row)
	for i := range columnPlaces {
		at := (total - n) / (columnPlaces - 1) * i * row
		b = append(b, slab[at:at+n*row]...)
	}
	return b
}

// transposed returns the items of rows, column by column.
func (a *Writer) transposed(rows []byte, columns int) []byte {
	item := a.grid.item
	n := int64(len(rows)) / (item * int64(columns))
	b := make([]byte, len(rows))
	a.mover.copy([]int64{int64(columns), n}, []int64{n * item, item}, []int64{item, item * int64(columns)}, item, b, 0, rows, 0)
	return b
}
