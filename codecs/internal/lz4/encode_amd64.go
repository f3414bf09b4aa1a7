//go:build !purego

package lz4

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func encode16SSE(table *[1 << 13]uint16, dst, src []byte, acceleration int) (op, anchor int)

//go:noescape
func encode32SSE(table *[1 << 12]uint32, dst, src []byte, acceleration int) (op, anchor int)

// The functions named wide copy and compare up to 64 bytes at a time.

//go:noescape
func encode16Wide(table *[1 << 13]uint16, dst, src []byte, acceleration int) (op, anchor int)

//go:noescape
func encode32Wide(table *[1 << 12]uint32, dst, src []byte, acceleration int) (op, anchor int)

func init() {
	kernels.Register(func(t kernels.Tier) {
		switch {
		case t >= kernels.AVX512:
			encode16, encode32 = encode16Wide, encode32Wide
		case t >= kernels.SSE:
			encode16, encode32 = encode16SSE, encode32SSE
		default:
			encode16, encode32 = nil, nil
		}
	})
}
