//go:build !purego

package blosclz

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func search16SSE(at *uint16, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

//go:noescape
func search32SSE(at *uint32, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

//go:noescape
func write16SSE(at *uint16, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)

//go:noescape
func write32SSE(at *uint32, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)

func init() {
	kernels.Set(&assembly16, kernels.SSE, assembly[uint16]{search16SSE, write16SSE})
	kernels.Set(&assembly32, kernels.SSE, assembly[uint32]{search32SSE, write32SSE})
}
