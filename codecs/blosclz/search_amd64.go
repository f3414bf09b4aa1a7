//go:build !purego

package blosclz

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func searchNearSSE(at *uint16, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

//go:noescape
func searchFarSSE(at *uint32, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

//go:noescape
func writeNearSSE(at *uint16, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)

//go:noescape
func writeFarSSE(at *uint32, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)

func init() {
	kernels.Register(func(t kernels.Tier) {
		searchNear, searchFar, writeNear, writeFar = nil, nil, nil, nil
		if t >= kernels.SSE {
			searchNear, searchFar, writeNear, writeFar = searchNearSSE, searchFarSSE, writeNearSSE, writeFarSSE
		}
	})
}
