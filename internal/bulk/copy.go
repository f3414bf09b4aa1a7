// Package bulk copies long runs of bytes.
package bulk

import (
	"runtime"
	"unsafe"
)

// Copy is like the built-in copy, for slices that do not overlap.
//
// On Intel processors since Ice Lake, the runtime uses REP MOVSQ to copy 2 KiB and more
// to a multiple of 16 bytes (runtime/memmove_amd64.s). If the source is not a multiple of
// 8 bytes, that takes 1.6 to 5 times as long as the AVX loop that the runtime has for all
// other destinations. Decoded blocks begin at multiples of 16, and compressed bytes
// anywhere. So Copy copies the first byte separately. It can go when BenchmarkCopy shows
// no difference with the oldest Go version that go.mod allows.
func Copy(dst, src []byte) int {
	n := min(len(dst), len(src))
	if runtime.GOARCH != "amd64" || n < repMin || n > repMax || address(dst)&15 != 0 || address(src)&7 == 0 {
		return copy(dst, src)
	}
	dst[0] = src[0]
	return 1 + copy(dst[1:], src[1:])
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// These are the least length that the runtime copies with REP MOVSQ, and the least one that it
// would store around the cache with AVX.
const (
	repMin = 2 << 10
	repMax = 1 << 20
)
