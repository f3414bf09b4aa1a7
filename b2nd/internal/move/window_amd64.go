//go:build !purego

package move

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

func init() {
	if cpu.X86.HasAVX512VBMI {
		kernels.Set(&windows, kernels.AVX512, windowsAVX512)
	}
}

// windowsAVX512 moves rows of windows. It accesses only the bytes of the masks.
//
//go:noescape
func windowsAVX512(dst, src *byte, w *Window, dstRow, srcRow, rows int)
