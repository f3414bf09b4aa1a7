package filters

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// byteDeltaFilter takes the differences between neighbouring bytes of each of
// the streams that shuffle made of the block (§7). Its meta is the number of
// streams, 0 for the typesize of the frame; see Pipeline.Explicit.
//
// C-Blosc2 before 3.3.2 wrote whatever was in memory behind the streams where
// the block is no multiple of their number; here those bytes are copied.
type byteDeltaFilter struct{ builtin }

func streams(p Params) int {
	if p.Meta != 0 {
		return int(p.Meta)
	}
	return p.itemSize()
}

func (byteDeltaFilter) Check(Params) error { return nil }

func (byteDeltaFilter) Forward(dst, src []byte, p Params) error {
	n := len(src) / streams(p)
	for ; n > 0 && len(src) >= n; src, dst = src[n:], dst[n:] {
		shuffle.ByteDelta(dst[:n], src[:n])
	}
	copy(dst, src)
	return nil
}

func (byteDeltaFilter) Backward(dst, src []byte, p Params) error {
	n := len(src) / streams(p)
	for ; n > 0 && len(src) >= n; src, dst = src[n:], dst[n:] {
		shuffle.UnByteDelta(dst[:n], src[:n])
	}
	copy(dst, src)
	return nil
}

// oldByteDeltaFilter is the first form of bytedelta, of March to July 2023,
// which is only read. Builds for processors with SIMD, practically all, begin
// again from 0 for the bytes of a stream behind the last multiple of 16; others
// did as byteDeltaFilter does. The chunks don't tell, so the former is taken.
type oldByteDeltaFilter struct{ builtin }

func (f oldByteDeltaFilter) Check(Params) error {
	return &blosc2.OptionError{Option: "filter", Value: f.Name(), Range: "bytedelta; the old form is only read"}
}

func (f oldByteDeltaFilter) Forward(_, _ []byte, p Params) error { return f.Check(p) }

func (oldByteDeltaFilter) Backward(dst, src []byte, p Params) error {
	n := len(src) / streams(p)
	even := n &^ 15
	for ; n > 0 && len(src) >= n; src, dst = src[n:], dst[n:] {
		shuffle.UnByteDelta(dst[:even], src[:even])
		shuffle.UnByteDelta(dst[even:n], src[even:n])
	}
	copy(dst, src)
	return nil
}
