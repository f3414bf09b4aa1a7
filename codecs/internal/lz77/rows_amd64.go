//go:build !purego

package lz77

import (
	"unsafe"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly computes with these sizes and offsets.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(row[uint16]{})-64]
	_ = [1]struct{}{}[unsafe.Sizeof(row[uint32]{})-96]
	_ = [1]struct{}{}[unsafe.Offsetof(row[uint16]{}.head)-16]
	_ = [1]struct{}{}[unsafe.Offsetof(row[uint32]{}.at)-32]
	_ = [1]struct{}{}[unsafe.Offsetof(rows[uint16]{}.table)-unsafe.Sizeof(rowSearch{})]
)

//go:noescape
func seekRows16BMI2(r *rows[uint16], src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func seekRows32BMI2(r *rows[uint32], src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func searchRows16BMI2(r *rows[uint16], src []byte, ip, to int)

//go:noescape
func searchRows32BMI2(r *rows[uint32], src []byte, ip, to int)

func init() {
	kernels.Set(&seekRows16, kernels.AVX2, seekRows16BMI2)
	kernels.Set(&seekRows32, kernels.AVX2, seekRows32BMI2)
	kernels.Set(&searchRows16, kernels.AVX2, searchRows16BMI2)
	kernels.Set(&searchRows32, kernels.AVX2, searchRows32BMI2)
}
