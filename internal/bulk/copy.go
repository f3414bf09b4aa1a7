// Package bulk copies long runs of bytes.
package bulk

import "unsafe"

// Copy is like the built-in copy for slices that do not overlap.
//
// On Intel processors since Ice Lake, the runtime copies 2 KiB and more to a multiple of
// 16 bytes by REP MOVSQ, which takes two to three times as long as the AVX instructions
// that it uses for other destinations, unless the source is a multiple of 8 bytes too. Compressed
// bytes have any address, and decoded blocks begin at multiples of 16. So Copy copies the
// first byte alone. BenchmarkCopy compares the two; when they take the same time with the
// oldest supported version of Go, Copy can go.
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
