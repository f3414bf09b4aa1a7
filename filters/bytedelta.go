package filters

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// A byteDeltaFilter computes the differences between adjacent bytes in each of the
// streams into which shuffle divides the block (§7). Its meta is the number of streams; 0
// means the typesize of the frame: see Pipeline.Explicit.
//
// If the length of the block is not a multiple of the number of streams, C-Blosc2 before
// 3.3.2 wrote uninitialized memory after the streams. This filter copies those bytes.
type byteDeltaFilter struct{ builtin }

func streams(p Params) int {
	if p.Meta != 0 {
		return int(p.Meta)
	}
	return p.itemSize()
}

// Forward implements Filter.
func (byteDeltaFilter) Forward(dst, src []byte, p Params) error {
	eachStream(dst, src, p, shuffle.ByteDelta)
	return nil
}

// Backward implements Filter.
func (byteDeltaFilter) Backward(dst, src []byte, p Params) error {
	eachStream(dst, src, p, shuffle.UnByteDelta)
	return nil
}

// eachStream applies a kernel to each stream and copies the bytes after the
// last.
func eachStream(dst, src []byte, p Params, kernel func(dst, src []byte)) {
	count := streams(p)
	n := len(src) / count
	end := n * count
	for i := 0; i < end; i += n {
		kernel(dst[i:i+n], src[i:i+n])
	}
	copy(dst[end:], src[end:])
}

// A shuffleDelta does what shuffle and the bytedelta after it do, with shuffle's meta.
type shuffleDelta struct{ shuffleFilter }

// fuses reports whether shuffleDelta can replace two filters of a pipeline, and is faster
// than both.
func fuses(first, second step, p Params) bool {
	if _, ok := first.filter.(shuffleFilter); !ok {
		return false
	}
	if _, ok := second.filter.(byteDeltaFilter); !ok {
		return false
	}
	p.Meta = second.meta
	count := streams(p)
	p.Meta = first.meta
	return group(p) == count && shuffle.FusesDelta(count)
}

// Forward implements Filter.
func (shuffleDelta) Forward(dst, src []byte, p Params) error {
	shuffle.ShuffleDelta(dst, src, group(p))
	return nil
}

// Backward implements Filter.
func (shuffleDelta) Backward(dst, src []byte, p Params) error {
	shuffle.UnshuffleDelta(dst, src, group(p))
	return nil
}

// An oldByteDeltaFilter undoes the first form of bytedelta, of March to July 2023, which
// this library does not write. Builds for processors with SIMD, which are nearly all,
// start again from 0 for the bytes of a stream after the last multiple of 16. Other
// builds did what byteDeltaFilter does. The chunks do not record which, so this filter
// assumes SIMD.
type oldByteDeltaFilter struct{ builtin }

// Check implements Filter.
func (f oldByteDeltaFilter) Check(Params) error {
	return &blosc2.OptionError{Option: "filter", Value: f.Name(), Range: "bytedelta; its old form can only be decoded"}
}

// Forward implements Filter.
func (f oldByteDeltaFilter) Forward(_, _ []byte, p Params) error { return f.Check(p) }

// Backward implements Filter.
func (oldByteDeltaFilter) Backward(dst, src []byte, p Params) error {
	eachStream(dst, src, p, func(dst, src []byte) {
		even := len(src) &^ 15
		shuffle.UnByteDelta(dst[:even], src[:even])
		shuffle.UnByteDelta(dst[even:], src[even:])
	})
	return nil
}
