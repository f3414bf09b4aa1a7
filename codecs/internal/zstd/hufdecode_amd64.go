//go:build !purego

package zstd

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func decodeOnesBMI2(one *[1 << maxCodeBits]uint16, streams *[4]byteStream, dst, src []byte, shift uint)

//go:noescape
func decodeTwosBMI2(two *[1 << maxCodeBits]uint32, streams *[4]byteStream, dst, src []byte)

func init() {
	kernels.Set(&decodeOnes, kernels.AVX2, decodeOnesBMI2)
	kernels.Set(&decodeTwos, kernels.AVX2, decodeTwosBMI2)
}
