//go:build !purego

package shuffle

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestRegisters checks that the AVX2 kernels use no mask registers and no vector
// registers above 15. These exist only with AVX-512, but the assembler accepts them in
// AVX2 code.
func TestRegisters(t *testing.T) {
	text, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	wide := regexp.MustCompile(`\b(Z\d+|[XY](1[6-9]|2\d|3[01])|K[0-7])\b`)
	functions := strings.Split(string(text), "\nTEXT ·")[1:]
	avx2 := 0
	for _, f := range functions {
		name, _, _ := strings.Cut(f, "(")
		if !strings.HasSuffix(name, "AVX2") {
			continue
		}
		avx2++
		if r := wide.FindString(f); r != "" {
			t.Errorf("%s uses %s", name, r)
		}
	}
	if avx2 < 20 {
		t.Errorf("only %d functions for AVX2 found", avx2)
	}
}
