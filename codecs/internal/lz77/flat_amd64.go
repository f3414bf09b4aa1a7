//go:build !purego

package lz77

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func flat32BMI(table *uint32, src []byte, at, anchor, to int, seqs []Seq, shift, window int) (n, nextAt, nextAnchor int)

//go:noescape
func flat16BMI(table *uint16, src []byte, at, anchor, to int, seqs []Seq, shift, window int) (n, nextAt, nextAnchor int)

func init() {
	kernels.Set(&flat16, kernels.AVX2, flat16BMI)
	kernels.Set(&flat32, kernels.AVX2, flat32BMI)
}
