//go:build !purego

package zstd

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func encode4BMI2(table *[256]uint64, streams *[4]codeStream, dst, src []byte, n int)

func init() { kernels.Set(&encode4, kernels.AVX2, encode4BMI2) }
