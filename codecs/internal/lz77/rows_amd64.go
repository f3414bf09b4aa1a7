//go:build !purego

package lz77

import (
	"unsafe"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly shifts the number of a row by 6, masks indices in it, and multiplies
// by the factor of the hash.
var _ = [1]struct{}{}[unsafe.Sizeof(row{})-64]

//go:noescape
func seekRowsBMI2(r *rows, src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func searchRowsBMI2(r *rows, src []byte, ip, to int)

func init() {
	kernels.Set(&seekRows, kernels.AVX2, seekRowsBMI2)
	kernels.Set(&searchRows, kernels.AVX2, searchRowsBMI2)
}
