package filters

import "github.com/seed03b80dae/blosc2"

// An ndcellFilter stores the items of an array's block cell by cell (§8), so that items
// close to each other in the array are close to each other in the stream. Its meta is the
// side of a cell.
type ndcellFilter struct{ builtin }

// Check implements Filter.
func (f ndcellFilter) Check(p Params) error {
	if p.Meta > 127 {
		// C-Blosc2 treats the meta as an int8.
		return &blosc2.OptionError{Option: "meta of filter " + f.Name(), Value: p.Meta, Range: "1 to 127, the side of a cell"}
	}
	if _, err := newCells(p, int(p.Meta), false); err != nil {
		return f.optionError(p, err)
	}
	return nil
}

// Forward implements Filter.
func (f ndcellFilter) Forward(dst, src []byte, p Params) error {
	g, err := f.forBlock(len(src), p, int(p.Meta), false)
	if err != nil {
		return err
	}
	size, n := p.itemSize(), 0
	g.each(func(c cell) {
		row := c.extent[g.ndim-1] * size
		g.rows(c, func(first int) {
			n += copy(dst[n:n+row], src[first*size:])
		})
	})
	return nil
}

// Backward implements Filter.
func (f ndcellFilter) Backward(dst, src []byte, p Params) error {
	g, err := f.forBlock(len(src), p, int(p.Meta), false)
	if err != nil {
		return err
	}
	g.backward(dst, src, p.itemSize())
	return nil
}
