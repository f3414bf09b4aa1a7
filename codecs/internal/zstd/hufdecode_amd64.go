//go:build !purego

package zstd

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func decodeOnesBMI2(one *[1 << maxCodeBits]uint16, streams *[4]byteStream, dst, src []byte, shift uint)

//go:noescape
func decodeTwosBMI2(two *[1 << maxCodeBits]uint32, streams *[4]byteStream, dst, src []byte)

func init() {
	kernels.Register(func(t kernels.Tier) {
		decodeOnes, decodeTwos = nil, nil
		if t >= kernels.AVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 {
			decodeOnes, decodeTwos = decodeOnesBMI2, decodeTwosBMI2
		}
	})
}
