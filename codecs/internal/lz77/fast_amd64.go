//go:build !purego

package lz77

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func fast32BMI(table *uint32, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift int) (n int)

//go:noescape
func fast16BMI(table *uint16, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift int) (n int)

func init() {
	kernels.Register(func(t kernels.Tier) {
		fast16, fast32 = nil, nil
		if t >= kernels.AVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 {
			fast16, fast32 = fast16BMI, fast32BMI
		}
	})
}
