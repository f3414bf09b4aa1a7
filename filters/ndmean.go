package filters

import (
	"encoding/binary"
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
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
			n += mean[float32](&g, dst[n:], src, c)
		} else {
			n += mean[float64](&g, dst[n:], src, c)
		}
	})
	return nil
}

// mean writes the mean of a cell to dst, once for every item, and returns the number of
// bytes written. Sums are computed in the type of the items, row by row, as in C-Blosc2.
func mean[F float32 | float64](g *cells, dst, src []byte, c cell) int {
	var sum F
	size := binary.Size(sum)
	n := 0
	g.rows(c, func(first int) {
		row := src[first*size : (first+c.extent[g.ndim-1])*size]
		for at := 0; at < len(row); at += size {
			if size == 4 {
				sum += F(math.Float32frombits(binary.LittleEndian.Uint32(row[at:])))
			} else {
				sum += F(math.Float64frombits(binary.LittleEndian.Uint64(row[at:])))
			}
		}
		n += len(row)
	})
	mean := sum / F(n/size)
	if size == 4 {
		binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(mean)))
	} else {
		binary.LittleEndian.PutUint64(dst, math.Float64bits(float64(mean)))
	}
	shuffle.Fill(dst[size:n], dst[:size])
	return n
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
