//go:build !purego

package shuffle

import "github.com/seed03b80dae/blosc2/internal/kernels"

func levelOf(t kernels.Tier) level {
	if t >= kernels.NEON {
		return vector
	}
	return generic
}

//go:noescape
func gather2NEON(dst *byte, stride int, src *byte, n int)

//go:noescape
func gather4NEON(dst *byte, stride int, src *byte, n int)

//go:noescape
func gather8NEON(dst *byte, stride int, src *byte, n int)

//go:noescape
func gather16NEON(dst *byte, stride int, src *byte, n int)

//go:noescape
func scatter2NEON(dst *byte, src *byte, stride int, n int)

//go:noescape
func scatter4NEON(dst *byte, src *byte, stride int, n int)

//go:noescape
func scatter8NEON(dst *byte, src *byte, stride int, n int)

//go:noescape
func scatter16NEON(dst *byte, src *byte, stride int, n int)

//go:noescape
func bitRowsNEON(dst *byte, stride int, plane *byte, n int)

//go:noescape
func bitBytesNEON(plane *byte, src *byte, stride int, n int)

//go:noescape
func xorNEON(dst *byte, a *byte, b *byte, n int)

//go:noescape
func maskNEON(dst *byte, src *byte, mask uint64, n int)

//go:noescape
func byteDeltaNEON(dst *byte, src *byte, n int)

//go:noescape
func unByteDeltaNEON(dst *byte, src *byte, n int)

//go:noescape
func undelta1NEON(dst *byte, src *byte, n int)

//go:noescape
func undelta2NEON(dst *byte, src *byte, n int)

//go:noescape
func undelta4NEON(dst *byte, src *byte, n int)

//go:noescape
func undelta8NEON(dst *byte, src *byte, n int)

// The functions below do as much of their work as there are kernels for, and
// return how much that is.

func gatherAsm(dst []byte, stride int, src []byte, size, cols, n int) int {
	n &^= 15
	if current < vector || n == 0 || size != cols {
		return 0
	}
	d, s := within(dst, stride, size, n), within(src, size, n, size)
	switch size {
	case 2:
		gather2NEON(d, stride, s, n)
	case 4:
		gather4NEON(d, stride, s, n)
	case 8:
		gather8NEON(d, stride, s, n)
	case 16:
		gather16NEON(d, stride, s, n)
	default:
		return 0
	}
	return n
}

func scatterAsm(dst []byte, size int, src []byte, stride, cols, n int) int {
	n &^= 15
	if current < vector || n == 0 || size != cols {
		return 0
	}
	d, s := within(dst, size, n, size), within(src, stride, size, n)
	switch size {
	case 2:
		scatter2NEON(d, s, stride, n)
	case 4:
		scatter4NEON(d, s, stride, n)
	case 8:
		scatter8NEON(d, s, stride, n)
	case 16:
		scatter16NEON(d, s, stride, n)
	default:
		return 0
	}
	return n
}

func bitRowsAsm(dst []byte, stride int, planes []byte, planeStride, n, count int) int {
	n &^= 127
	if current < vector || n == 0 {
		return 0
	}
	for j := range count {
		bitRowsNEON(within(dst[8*j*stride:], stride, 8, n/8), stride, within(planes[j*planeStride:], n, 1, n), n)
	}
	return n
}

func bitBytesAsm(planes []byte, planeStride int, src []byte, stride, n, count int) int {
	n &^= 127
	if current < vector || n == 0 {
		return 0
	}
	for j := range count {
		bitBytesNEON(within(planes[j*planeStride:], n, 1, n), within(src[8*j*stride:], stride, 8, n/8), stride, n)
	}
	return n
}

// The lengths of slices are checked by the callers of the functions below.

func xorAsm(dst, a, b []byte) int {
	n := len(a) &^ 63
	if current < vector || n == 0 {
		return 0
	}
	xorNEON(&dst[0], &a[0], &b[0], n)
	return n
}

func maskAsm(dst, src []byte, mask uint64) int {
	n := len(src) &^ 63
	if current < vector || n == 0 {
		return 0
	}
	maskNEON(&dst[0], &src[0], mask, n)
	return n
}

// byteDeltaAsm reads one byte more of src than it writes.
func byteDeltaAsm(dst, src []byte) int {
	n := len(dst) &^ 63
	if current < vector || n == 0 {
		return 0
	}
	byteDeltaNEON(&dst[0], &src[0], n)
	return n
}

func undeltaAsm(dst, src []byte, stride int) int {
	n := len(src) &^ 15
	if current < vector || n == 0 {
		return 0
	}
	switch stride {
	case 1:
		undelta1NEON(&dst[0], &src[0], n)
	case 2:
		undelta2NEON(&dst[0], &src[0], n)
	case 4:
		undelta4NEON(&dst[0], &src[0], n)
	case 8:
		undelta8NEON(&dst[0], &src[0], n)
	default:
		return 0
	}
	return n
}

func unByteDeltaAsm(dst, src []byte) int {
	n := len(src) &^ 15
	if current < vector || n == 0 {
		return 0
	}
	unByteDeltaNEON(&dst[0], &src[0], n)
	return n
}
