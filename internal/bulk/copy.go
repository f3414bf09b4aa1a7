// Package bulk copies long runs of bytes.
package bulk

import "unsafe"

// Copy is like the built-in copy, for slices that do not overlap.
//
// On Intel processors since Ice Lake, the runtime uses REP MOVSQ to copy 2 KiB and more
// to a multiple of 16 bytes (runtime/memmove_amd64.s). If the source is not a multiple of
// 8 bytes, that takes 1.6 to 3 times as long as the AVX loop that the runtime has for all
// other destinations. Decoded blocks begin at multiples of 16, and compressed bytes
// anywhere. So Copy copies the first byte separately. It can go when BenchmarkCopy shows
// no difference with the oldest Go version that go.mod allows.
func Copy(dst, src []byte) int {
	n := min(len(dst), len(src))
	if n < repMin || uintptr(unsafe.Pointer(unsafe.SliceData(dst)))&15 != 0 {
		return copy(dst, src)
	}
	dst[0] = src[0]
	return 1 + copy(dst[1:], src[1:])
}

// repMin is the least length that the runtime copies by REP MOVSQ
// (runtime/memmove_amd64.s).
const repMin = 2048
