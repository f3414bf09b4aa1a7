//go:build !purego

package lz4

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// The encoder produces the same bytes without AVX-512.
func TestEncodeNarrow(t *testing.T) {
	tier := kernels.Current()
	if tier < kernels.AVX512 {
		t.Skip("needs AVX-512; without it the other tests run the narrow code")
	}
	if err := kernels.Use(kernels.AVX2); err != nil {
		t.Fatal(err)
	}
	defer kernels.Use(tier)
	t.Run("small", TestEncode)
	t.Run("lengths", TestEncodeLengths)
	t.Run("long", TestEncodeLong)
	t.Run("regular", TestEncodeRegular)
}
