package shuffle

import (
	"fmt"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// A level is a set of kernels; a higher one has what the lower ones have.
type level uint8

const (
	generic level = iota // portable Go
	vector               // AVX2, NEON
	wide                 // AVX-512 with VBMI and GFNI
)

// current is set when the program starts, and by Use.
var current level

func init() {
	kernels.Register(func(t kernels.Tier) {
		current, flat = levelOf(t), flatKernels{}
		if current >= vector {
			flat = vectorKernels
		}
	})
}

// flatKernels go along slices whose lengths the caller has checked. n is a
// multiple of step, or of a quarter of it where a result depends on the one
// before (undelta, by its stride, and unByteDelta). byteDelta reads one byte more of
// src than it writes. Without kernels step is 0.
type flatKernels struct {
	step                   int
	xor                    func(dst, a, b *byte, n int)
	mask                   func(dst, src *byte, mask uint64, n int)
	byteDelta, unByteDelta func(dst, src *byte, n int)
	undelta                [9]func(dst, src *byte, n int)
}

// flat is set as current is.
var flat flatKernels

// steps returns how many of n bytes there are kernels for, in multiples of step.
func steps(n, step int) int { return n &^ (step - 1) }

// Tier returns the name of the kernels that run: "none", "sse", "avx2" or
// "avx512" on amd64, "none" or "neon" on arm64, else "none". It is that of the
// codecs' kernels, too. This package has no kernels for sse, and those for
// avx512 run if the processor has VBMI and GFNI.
func Tier() string { return kernels.Current().String() }

// Tiers returns the names of the tiers that this processor has, slowest first.
func Tiers() []string {
	var names []string
	for _, t := range kernels.Tiers() {
		names = append(names, t.String())
	}
	return names
}

// Use chooses the kernels of one of Tiers for all packages of this module, for
// tests and measurements. A program starts with the fastest, or with what the
// environment variable BLOSC2_KERNELS names if that is slower. Use must not be
// called while other functions run.
func Use(tier string) error {
	t, ok := kernels.Named(tier)
	if !ok {
		return fmt.Errorf("shuffle: no tier %q: have %q", tier, Tiers())
	}
	return kernels.Use(t)
}
