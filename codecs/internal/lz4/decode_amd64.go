//go:build !purego

package lz4

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly takes offsets of fields from go_asm.h, which has those of this
// package alone.
//
//lint:ignore U1000 for the assembly
const spreadSteps = unsafe.Offsetof(mem.Spreader{}.Steps)

//go:noescape
func fastSSSE3(dst, src []byte, op, ip int, spread *mem.Spreader) (int, int)

func init() {
	if cpu.X86.HasSSSE3 {
		kernels.Set(&fast, kernels.SSE, func(dst, src []byte, op, ip int) (int, int) {
			return fastSSSE3(dst, src, op, ip, &mem.Spread)
		})
	}
}
