//go:build !purego

package zstd

import (
	"unsafe"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly takes offsets of fields from go_asm.h, which has only those of this
// package.
//
//lint:ignore U1000 for the assembly
const spreadSteps = unsafe.Offsetof(mem.Spreader{}.Steps)

// An index in the assembly is scaled by the size of an entry.
var _ = [1]struct{}{}[unsafe.Sizeof(entry(0))-8]

//go:noescape
func sequencesBMI2(s *sequenceState, dst, literals, src []byte, spread *mem.Spreader)

func init() {
	kernels.Set(&fast, kernels.AVX2, func(s *sequenceState, dst, literals, src []byte) {
		sequencesBMI2(s, dst, literals, src, &mem.Spread)
	})
}
