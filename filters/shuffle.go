package filters

import "github.com/seed03b80dae/blosc2/shuffle"

// A shuffleFilter gathers the bytes of equal significance (§2). Its meta is the number of
// bytes to treat as an item, or 0 for the typesize: python-blosc2 writes 4 for strings of
// four-byte characters. C-Blosc2 supports the meta since 2.23.1; earlier versions misread
// such data.
type shuffleFilter struct{ builtin }

func group(p Params) int {
	if p.Meta != 0 {
		return int(p.Meta)
	}
	return p.TypeSize
}

// Forward implements Filter.
func (shuffleFilter) Forward(dst, src []byte, p Params) error {
	shuffle.Shuffle(dst, src, group(p))
	return nil
}

// Backward implements Filter.
func (shuffleFilter) Backward(dst, src []byte, p Params) error {
	shuffle.Unshuffle(dst, src, group(p))
	return nil
}

func (shuffleFilter) leaves(n int, p Params, _ bool) bool {
	g := group(p)
	return g == 1 || n < 2*g
}
