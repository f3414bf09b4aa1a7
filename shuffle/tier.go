package shuffle

import (
	"fmt"
	"slices"
)

// A level stands for a set of kernels; a higher one has what the lower ones
// have.
type level uint8

const (
	generic level = iota // portable Go
	vector               // AVX2, NEON
	wide                 // AVX-512 with VBMI and GFNI
)

// current is set when the program starts, and by Use.
var current = available

// Tier names the kernels that run: "generic", "avx2" or "avx512" (with VBMI and
// GFNI) on amd64, "generic" or "neon" on arm64, else "generic".
func Tier() string { return tierNames[current] }

// Tiers lists the tiers that this processor has, slowest first.
func Tiers() []string { return slices.Clone(tierNames[:available+1]) }

// Use chooses the kernels of one of Tiers, for tests and measurements; a
// program starts with the fastest. It must not be called while other functions
// of this package run.
func Use(tier string) error {
	i := slices.Index(Tiers(), tier)
	if i < 0 {
		return fmt.Errorf("shuffle: no tier %q on this processor: have %q", tier, Tiers())
	}
	current = level(i)
	return nil
}
