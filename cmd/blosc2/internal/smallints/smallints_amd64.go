//go:build !purego

package smallints

import (
	"slices"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

func init() {
	kernels.Set(&bytesKernel, kernels.AVX2, bytesAVX2)
	kernels.Set(&shortsKernel, kernels.AVX2, shortsAVX2)
}

// byteLanes holds the results of the lanes of sumBytes. The assembly uses go_asm.h for
// the offsets.
type byteLanes struct {
	sum       [4]uint64
	squares   [8]uint32
	low, high [32]uint8
	zeros     int64
}

// shortLanes holds the results of the lanes of sumShorts.
type shortLanes struct {
	sum       [8]int32
	squares   [4]uint64
	low, high [16]int16
	zeros     int64 // bytes in items that are zero
}

//go:noescape
func sumBytes(b []byte, turn uint64, to *byteLanes)

//go:noescape
func sumShorts(b []byte, turn uint64, to *shortLanes)

// bytesAVX2 inverts the highest bit of signed bytes, which then compare like unsigned
// ones.
func bytesAVX2(b []byte, signed bool) Sums {
	turn, zero := uint64(0), int64(0)
	if signed {
		turn, zero = 0x8080_8080_8080_8080, 1<<7
	}
	var l byteLanes
	sumBytes(b, turn, &l)
	s := Sums{Items: int64(len(b)), Zeros: l.zeros, Low: int64(slices.Min(l.low[:])), High: int64(slices.Max(l.high[:]))}
	for _, v := range l.sum {
		s.Sum += int64(v)
	}
	for _, v := range l.squares {
		s.Squares += uint64(v)
	}
	return s.shift(-zero)
}

// shortsAVX2 inverts the highest bit of unsigned integers, which then compare like
// signed ones.
func shortsAVX2(b []byte, signed bool) Sums {
	turn, zero := uint64(0), int64(0)
	if !signed {
		turn, zero = 0x8000_8000_8000_8000, -1<<15
	}
	var l shortLanes
	sumShorts(b, turn, &l)
	s := Sums{Items: int64(len(b) / 2), Zeros: l.zeros / 2, Low: int64(slices.Min(l.low[:])), High: int64(slices.Max(l.high[:]))}
	for _, v := range l.sum {
		s.Sum += int64(v)
	}
	for _, v := range l.squares {
		s.Squares += v
	}
	return s.shift(-zero)
}
