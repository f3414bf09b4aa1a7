//go:build !purego

package lz77

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func fast32BMI(table *uint32, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift, literal int) (n int)

//go:noescape
func fast16BMI(table *uint16, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift, literal int) (n int)

//go:noescape
func double32BMI(table *uint32, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift, literal int) (n int)

//go:noescape
func double16BMI(table *uint16, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift, literal int) (n int)

func init() {
	kernels.Set(&fast16, kernels.AVX2, fast16BMI)
	kernels.Set(&fast32, kernels.AVX2, fast32BMI)
	kernels.Set(&double16, kernels.AVX2, double16BMI)
	kernels.Set(&double32, kernels.AVX2, double32BMI)
}
