package filters

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// A deltaFilter computes differences by exclusive or (§4): in block 0 of a chunk between
// an item and the previous one, in other blocks between an item and the one at the same
// position in block 0.
//
// C-Blosc2's encoder does not write the bytes after the last whole item, so such data are
// lost. This filter copies them, and C-Blosc2 reads the result correctly.
//
// C-Blosc2, both 2.17.1 and 3.3.5, reads parts of data with this filter wrongly, without
// an error. Of a chunk of several blocks only block 0 is correct. With two threads, reads
// of slices of arrays hang, and chunks with a shuffle before the delta are wrong even if
// the whole chunk is read. With one thread, whole chunks are read correctly.
//
// Before 3.0.2 C-Blosc2 took the predecessors within block 0 from the chunk's source even
// if another filter came first. The chunks do not record that, so pipelines such as
// shuffle followed by delta are read as 3.0.2 writes them. Alphas before September 2017
// subtracted instead. Their chunks do not record that either, and are not supported.
type deltaFilter struct{ builtin }

// unit returns the distance in bytes between the bytes that are combined.
func unit(typesize int) int {
	switch {
	case typesize == 1 || typesize == 2 || typesize == 4:
		return typesize
	case typesize%8 == 0:
		return 8
	}
	return 1
}

// Forward implements Filter.
func (deltaFilter) Forward(dst, src []byte, p Params) error {
	return combine(dst, src, p, shuffle.Delta)
}

// Backward implements Filter.
func (deltaFilter) Backward(dst, src []byte, p Params) error {
	return combine(dst, src, p, shuffle.Undelta)
}

// combine applies a kernel to block 0, and combines any other block with block 0.
func combine(dst, src []byte, p Params, kernel func(dst, src []byte, stride int)) error {
	u := unit(p.TypeSize)
	n := len(src) / u * u
	copy(dst[n:], src[n:])
	if p.Block == 0 {
		kernel(dst[:n], src[:n], u)
		return nil
	}
	if len(p.Ref) < n {
		return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "filter delta: block has %d bytes, but block 0 only %d", n, len(p.Ref))
	}
	shuffle.XOR(dst[:n], src[:n], p.Ref[:n])
	return nil
}
