//go:build !purego

package move

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// hasWindows reports whether this machine moves bytes within a register anywhere.
var hasWindows bool

func init() {
	kernels.Register(func(t kernels.Tier) {
		hasWindows = t >= kernels.AVX512 && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI
	})
}

// windows moves rows of windows. Nothing but the bytes of the masks is touched.
//
//go:noescape
func windows(dst, src *byte, w *Window, dstRow, srcRow, rows int)
