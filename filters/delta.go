package filters

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// deltaFilter takes differences by exclusive or (§4): in block 0 of a chunk
// between an item and the one before, in other blocks between an item and the
// one at the same place of block 0.
//
// C-Blosc2's encoder leaves the bytes after the last whole item unwritten, so
// that data of such lengths do not survive; here they are copied, and C-Blosc2
// reads them right.
//
// C-Blosc2, 2.17.1 and 3.3.5 alike, reads parts of such data wrongly, without an
// error: of a chunk of several blocks only block 0 is right. With two threads
// slices of arrays hang, and chunks with a shuffle before the delta are wrong
// even as a whole. Whole chunks with one thread are right.
//
// Before 3.0.2 C-Blosc2 took the predecessors within block 0 from the chunk's
// source even where another filter had come first. The chunks do not say, so
// pipelines such as shuffle and then delta are read as 3.0.2 writes them. The
// differences of alphas before September 2017, which were subtractions, do not
// say either and are not read.
type deltaFilter struct{ builtin }

// unit is how far apart the bytes are whose difference is taken.
func unit(typesize int) int {
	switch {
	case typesize == 1 || typesize == 2 || typesize == 4:
		return typesize
	case typesize%8 == 0:
		return 8
	}
	return 1
}

func (deltaFilter) Check(Params) error { return nil }

func (f deltaFilter) Forward(dst, src []byte, p Params) error {
	u := unit(p.TypeSize)
	n := len(src) / u * u
	copy(dst[n:], src[n:])
	if p.Block == 0 {
		shuffle.Delta(dst[:n], src[:n], u)
		return nil
	}
	return f.fromRef(dst, src, p, n)
}

func (f deltaFilter) Backward(dst, src []byte, p Params) error {
	u := unit(p.TypeSize)
	n := len(src) / u * u
	copy(dst[n:], src[n:])
	if p.Block == 0 {
		shuffle.Undelta(dst[:n], src[:n], u)
		return nil
	}
	return f.fromRef(dst, src, p, n)
}

// fromRef combines the first n bytes with those of block 0.
func (deltaFilter) fromRef(dst, src []byte, p Params, n int) error {
	if len(p.Ref) < n {
		return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "filter delta: %d bytes, but block 0 has %d", n, len(p.Ref))
	}
	shuffle.XOR(dst[:n], src[:n], p.Ref[:n])
	return nil
}
