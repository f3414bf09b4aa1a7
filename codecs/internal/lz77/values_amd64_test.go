//go:build !purego

package lz77

import "testing"

// The assembly for processors without AVX-512 finds the same.
func TestScanNarrow(t *testing.T) {
	if !hasScanWide {
		t.Skip("TestScan has shown it")
	}
	hasScanWide = false
	defer func() { hasScanWide = true }()
	TestScan(t)
}
