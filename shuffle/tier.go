package shuffle

import (
	"fmt"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// A level is a set of kernels. A higher level includes the lower ones.
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

// flatKernels holds the kernels that process slices along their length. The caller checks
// the lengths. n must be a multiple of step; for unByteDelta and for undelta, which is
// indexed by the stride, a multiple of a quarter of step suffices. byteDelta reads one
// byte more of src than it writes. step is 0 if there are no kernels.
type flatKernels struct {
	step                   int
	xor                    func(dst, a, b *byte, n int)
	mask                   func(dst, src *byte, mask uint64, n int)
	byteDelta, unByteDelta func(dst, src *byte, n int)
	undelta                [9]func(dst, src *byte, n int)
}

// flat holds the kernels of the current level. It is set together with current.
var flat flatKernels

// steps returns how many of n bytes the kernels can process: the largest multiple of step
// up to n.
func steps(n, step int) int { return n &^ (step - 1) }

// Tier returns the name of the kernels in use: "none", "sse", "avx2" or "avx512" on
// amd64, "none" or "neon" on arm64, and "none" elsewhere. It applies to the codecs'
// kernels too. This package has no kernels for sse, and uses those for avx512 only if the
// processor has VBMI and GFNI.
func Tier() string { return kernels.Current().String() }

// Tiers returns the names of the tiers that this processor supports, the slowest first.
func Tiers() []string {
	var names []string
	for _, t := range kernels.Tiers() {
		names = append(names, t.String())
	}
	return names
}

// Use chooses the kernels of one of the Tiers for all packages of this module, for tests
// and measurements. A program starts with the fastest tier, or with the one named by the
// environment variable BLOSC2_KERNELS if that is slower. Use must not be called while
// other functions run.
func Use(tier string) error {
	t, ok := kernels.Named(tier)
	if !ok {
		return fmt.Errorf("shuffle: tier %q: must be one of %q", tier, Tiers())
	}
	return kernels.Use(t)
}
