//go:build !purego

package lz77

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The assembly for processors without AVX-512 finds the same repetitions.
func TestScanNarrow(t *testing.T) {
	tier := kernels.Current()
	if tier < kernels.AVX512 {
		t.Skip("needs AVX-512; without it TestScan runs the narrow code")
	}
	if err := kernels.Use(kernels.AVX2); err != nil {
		t.Fatal(err)
	}
	defer kernels.Use(tier)
	TestScan(t)
}
