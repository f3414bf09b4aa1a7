//go:build !purego

package lz4

import "testing"

// Processors without AVX-512 produce the same bytes.
func TestEncodeNarrow(t *testing.T) {
	if !hasWide {
		t.Skip("the other tests have shown it")
	}
	hasWide = false
	defer func() { hasWide = true }()
	t.Run("small", TestEncode)
	t.Run("lengths", TestEncodeLengths)
	t.Run("long", TestEncodeLong)
	t.Run("regular", TestEncodeRegular)
}
