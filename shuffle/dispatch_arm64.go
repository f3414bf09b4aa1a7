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
func gather2NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func gather4NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func gather8NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func gather16NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func scatter2NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func scatter4NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func scatter8NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func scatter16NEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func bitRowsNEON(planes *byte, stride int, items *byte, n int)

//go:noescape
func bitBytesNEON(planes *byte, stride int, items *byte, n int)

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

// vectorKernels holds the NEON kernels that process slices along their length: see
// flatKernels.
var vectorKernels = flatKernels{
	step: 64, xor: xorNEON, mask: maskNEON, byteDelta: byteDeltaNEON, unByteDelta: unByteDeltaNEON,
	undelta: [9]func(dst, src *byte, n int){1: undelta1NEON, 2: undelta2NEON, 4: undelta4NEON, 8: undelta8NEON},
}

// An assembly holds the kernels of a direction.
type assembly struct {
	items     [17]func(planes *byte, stride int, items *byte, n int) // indexed by the size of an item
	bitPlanes []bitKernel
}

var (
	gatherKernels = assembly{
		[17]func(*byte, int, *byte, int){2: gather2NEON, 4: gather4NEON, 8: gather8NEON, 16: gather16NEON},
		[]bitKernel{{vector, 128, bitRowsNEON}},
	}
	scatterKernels = assembly{
		[17]func(*byte, int, *byte, int){2: scatter2NEON, 4: scatter4NEON, 8: scatter8NEON, 16: scatter16NEON},
		[]bitKernel{{vector, 128, bitBytesNEON}},
	}
)

// transposeAsm processes as many items as there are kernels for, and returns their
// number.
func (d *direction) transposeAsm(planes []byte, stride int, items []byte, size, cols, n int) int {
	n &^= 15
	if current < vector || n == 0 || size != cols || size > 16 || d.items[size] == nil {
		return 0
	}
	d.items[size](within(planes, stride, size, n), stride, within(items, size, n, size), n)
	return n
}
