//go:build !purego

package adler32

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func sumAVX2(src []byte) (sum, before, weighted uint64)

func init() {
	kernels.Register(func(t kernels.Tier) {
		kernel = nil
		if t >= kernels.AVX2 && cpu.X86.HasAVX2 {
			kernel = sumAVX2
		}
	})
}
