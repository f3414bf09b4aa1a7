//go:build !purego

package move

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

func init() {
	kernels.Register(func(t kernels.Tier) {
		windows = nil
		if t >= kernels.AVX512 && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI {
			windows = windowsAVX512
		}
	})
}

// windowsAVX512 moves rows of windows. It accesses only the bytes of the masks.
//
//go:noescape
func windowsAVX512(dst, src *byte, w *Window, dstRow, srcRow, rows int)
