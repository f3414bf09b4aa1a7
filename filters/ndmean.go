package filters

import (
	"encoding/binary"
	"math"

	"github.com/seed03b80dae/blosc2"
)

// An ndmeanFilter replaces every item of a cell by the cell's mean, and stores the block
// cell by cell (§9). The items are float32 or float64. Its meta is the side of a cell.
//
// C-Blosc2 computes wrong positions of cells if the side exceeds some dimension of the
// block, but not dimension 0. Encoding such blocks returns an error. They are decoded
// with the positions of C-Blosc2, which leaves zeros in the gaps.
type ndmeanFilter struct{ builtin }

// Check implements Filter.
func (f ndmeanFilter) Check(p Params) error {
	if size := p.itemSize(); size != 4 && size != 8 {
		return &blosc2.OptionError{Option: "typesize for filter " + f.Name(), Value: size, Range: "4 or 8, for floating-point numbers"}
	}
	g, err := newCells(p, int(int8(p.Meta)), true)
	if err != nil {
		return f.optionError(p, err)
	}
	for d := range g.ndim {
		if g.side[d] < int(p.Meta) {
			return &blosc2.OptionError{Option: "meta of filter " + f.Name(), Value: p.Meta, Range: "the side of a cell, at most the smallest dimension of the block"}
		}
	}
	return nil
}

// Forward implements Filter.
func (f ndmeanFilter) Forward(dst, src []byte, p Params) error {
	if err := f.Check(p); err != nil {
		return err
	}
	g, err := f.forBlock(len(src), p, int(p.Meta), true)
	if err != nil {
		return err
	}
	n := 0
	g.each(func(c cell) {
		if p.itemSize() == 4 {
			n += g.mean4(dst[n:], src, c)
		} else {
			n += g.mean8(dst[n:], src, c)
		}
	})
	return nil
}

// mean4 writes the mean of a cell of float32 to dst, once for every item, and returns the
// number of bytes written. Sums are computed in float32, row by row, as in C-Blosc2.
func (g *cells) mean4(dst, src []byte, c cell) int {
	var sum float32
	items := 0
	g.rows(c, func(first int) {
		for i := first; i < first+c.extent[g.ndim-1]; i++ {
			sum += math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
			items++
		}
	})
	mean := math.Float32bits(sum / float32(items))
	for i := range items {
		binary.LittleEndian.PutUint32(dst[4*i:], mean)
	}
	return 4 * items
}

// mean8 is like mean4, for float64.
func (g *cells) mean8(dst, src []byte, c cell) int {
	var sum float64
	items := 0
	g.rows(c, func(first int) {
		for i := first; i < first+c.extent[g.ndim-1]; i++ {
			sum += math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
			items++
		}
	})
	mean := math.Float64bits(sum / float64(items))
	for i := range items {
		binary.LittleEndian.PutUint64(dst[8*i:], mean)
	}
	return 8 * items
}

// Backward implements Filter.
func (f ndmeanFilter) Backward(dst, src []byte, p Params) error {
	g, err := f.forBlock(len(src), p, int(int8(p.Meta)), true)
	if err != nil {
		return err
	}
	clear(dst)
	g.backward(dst, src, p.itemSize())
	return nil
}
