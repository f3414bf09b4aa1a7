//go:build !purego

package adler32

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func sumAVX2(src []byte) (sum, before, weighted uint64)

func init() { kernels.Set(&kernel, kernels.AVX2, sumAVX2) }
