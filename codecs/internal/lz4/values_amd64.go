//go:build !purego

package lz4

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func putBMI(c *cover, dst, src []byte, repeats *lz77.Repeat, from, to, end int) (ok bool)

var hasPut bool

func init() {
	kernels.Register(func(t kernels.Tier) { hasPut = t >= kernels.AVX2 && cpu.X86.HasBMI1 })
}

// put is putGeneric in assembly, where there is some.
func (c *cover) put(dst, src []byte, repeats []lz77.Repeat, from, end int) (ok bool) {
	if !hasPut {
		return c.putGeneric(dst, src, repeats, from, end)
	}
	return putBMI(c, dst, src, &repeats[0], from, from+len(repeats), end)
}
