//go:build !purego

package lz4

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func putBMI(c *cover, dst, src []byte, repeats *lz77.Repeat, from, to, end int) (ok bool)

func init() {
	kernels.Register(func(t kernels.Tier) {
		put = (*cover).putGeneric
		if t >= kernels.AVX2 && cpu.X86.HasBMI1 {
			put = func(c *cover, dst, src []byte, repeats []lz77.Repeat, from, end int) bool {
				return putBMI(c, dst, src, &repeats[0], from, from+len(repeats), end)
			}
		}
	})
}
