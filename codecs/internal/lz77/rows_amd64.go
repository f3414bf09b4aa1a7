//go:build !purego

package lz77

import (
	"unsafe"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly computes with these sizes and offsets.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(rows16{}.near[0])-64]
	_ = [1]struct{}{}[unsafe.Offsetof(rows16{}.near[0].at)-32]
	_ = [1]struct{}{}[unsafe.Sizeof(rows32{}.rows[0])-32]
	_ = [1]struct{}{}[unsafe.Offsetof(rows32{}.rows[0].head)-16]
	_ = [1]struct{}{}[unsafe.Sizeof(wideRows{}.rows[0])-64]
	_ = [1]struct{}{}[unsafe.Offsetof(wideRows{}.rows[0].head)-32]
	_ = [1]struct{}{}[unsafe.Offsetof(rows16{}.near)-unsafe.Sizeof(rowSearch{})]
	_ = [1]struct{}{}[unsafe.Offsetof(rows32{}.rows)-unsafe.Sizeof(rowSearch{})-24]
	_ = [1]struct{}{}[unsafe.Offsetof(rows32{}.at)-unsafe.Sizeof(rowSearch{})-48]
)

//go:noescape
func seekRows16BMI2(r *rows16, src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func seekRows32BMI2(r *rows32, src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func seekWideRowsBMI2(r *wideRows, src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func searchRows16BMI2(r *rows16, src []byte, ip, to int)

//go:noescape
func searchRows32BMI2(r *rows32, src []byte, ip, to int)

//go:noescape
func searchWideRowsBMI2(r *wideRows, src []byte, ip, to int)

func init() {
	kernels.Set(&seekRows16, kernels.AVX2, seekRows16BMI2)
	kernels.Set(&seekRows32, kernels.AVX2, seekRows32BMI2)
	kernels.Set(&seekWideRows, kernels.AVX2, seekWideRowsBMI2)
	kernels.Set(&searchRows16, kernels.AVX2, searchRows16BMI2)
	kernels.Set(&searchRows32, kernels.AVX2, searchRows32BMI2)
	kernels.Set(&searchWideRows, kernels.AVX2, searchWideRowsBMI2)
}
