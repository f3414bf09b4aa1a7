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
	kernels.Set(&search16, kernels.SSE, search16SSE)
	kernels.Set(&search32, kernels.SSE, search32SSE)
	kernels.Set(&write16, kernels.SSE, write16SSE)
	kernels.Set(&write32, kernels.SSE, write32SSE)
}
