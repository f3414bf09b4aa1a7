package b2test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// Golden compares the lines that made returns with testdata/name, once with each
// tier of kernels that the processor supports. With update it writes the file
// first.
func Golden(t *testing.T, name string, update bool, made func(t *testing.T) string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(file, []byte(made(t)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(b), "\n")
	defer kernels.Use(kernels.Current())
	for _, tier := range kernels.Tiers() {
		if err := kernels.Use(tier); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(made(t), "\n")
		if len(got) != len(want) {
			t.Errorf("%v: %d lines, want %d", tier, len(got), len(want))
		}
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%v: is %q, was %q", tier, got[i], want[i])
			}
		}
	}
}
