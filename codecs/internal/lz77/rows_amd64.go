//go:build !purego

package lz77

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly shifts the number of a row by 6, masks places in it, and
// multiplies by the factor of the hash.
var _ = [1]struct{}{}[unsafe.Sizeof(row{})-64]

//go:noescape
func seekRowsBMI2(r *rows, src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func searchRowsBMI2(r *rows, src []byte, ip, to int)

var hasRows bool

func init() {
	kernels.Register(func(t kernels.Tier) {
		hasRows = t >= kernels.AVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	})
}

func seekRows(r *rows, src []byte, ip, anchor, limit, to int) bool {
	if hasRows {
		return seekRowsBMI2(r, src, ip, anchor, limit, to)
	}
	return r.seekGeneric(src, ip, anchor, limit, to)
}

func searchRows(r *rows, src []byte, ip, to int) {
	if hasRows {
		searchRowsBMI2(r, src, ip, to)
		return
	}
	r.searchGeneric(src, ip, to)
}
