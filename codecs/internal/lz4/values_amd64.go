//go:build !purego

package lz4

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func putBMI(c *cover, dst, src []byte, repeats *lz77.Repeat, from, to, end int) (ok bool)

func init() {
	kernels.Set(&put, kernels.AVX2, func(c *cover, dst, src []byte, repeats []lz77.Repeat, from, end int) bool {
		return putBMI(c, dst, src, &repeats[0], from, from+len(repeats), end)
	})
}
