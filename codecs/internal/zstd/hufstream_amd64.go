//go:build !purego

package zstd

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func encode4BMI2(table *[256]uint64, streams *[4]codeStream, dst, src []byte, n int)

func init() {
	kernels.Register(func(t kernels.Tier) {
		encode4 = encode4Generic
		if t >= kernels.AVX2 && cpu.X86.HasBMI2 {
			encode4 = encode4BMI2
		}
	})
}
