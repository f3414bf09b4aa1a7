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

// vectorKernels process whole registers along slices: see flatKernels.
var vectorKernels = flatKernels{
	step: 64, xor: xorNEON, mask: maskNEON, byteDelta: byteDeltaNEON, unByteDelta: unByteDeltaNEON,
	undelta: [9]func(dst, src *byte, n int){1: undelta1NEON, 2: undelta2NEON, 4: undelta4NEON, 8: undelta8NEON},
}

// See planeKernels.
var planeTiers = []planeKernels{{vector, 128, bitRowsNEON, bitBytesNEON}}

// The kernels for items, by their size.
var (
	gatherNEON  = [17]func(dst *byte, stride int, src *byte, n int){2: gather2NEON, 4: gather4NEON, 8: gather8NEON, 16: gather16NEON}
	scatterNEON = [17]func(dst, src *byte, stride, n int){2: scatter2NEON, 4: scatter4NEON, 8: scatter8NEON, 16: scatter16NEON}
)

// The functions below do as much of their work as there are kernels for, and return
// how much they have done.

func gatherAsm(dst []byte, stride int, src []byte, size, cols, n int) int {
	n &^= 15
	if current < vector || n == 0 || size != cols || size > 16 || gatherNEON[size] == nil {
		return 0
	}
	gatherNEON[size](within(dst, stride, size, n), stride, within(src, size, n, size), n)
	return n
}

func scatterAsm(dst []byte, size int, src []byte, stride, cols, n int) int {
	n &^= 15
	if current < vector || n == 0 || size != cols || size > 16 || scatterNEON[size] == nil {
		return 0
	}
	scatterNEON[size](within(dst, size, n, size), within(src, stride, size, n), stride, n)
	return n
}
