// Package kernels chooses which assembly runs.
//
// A package with kernels keeps each in a variable, which is nil or the portable
// function if there is none, and names its kernel in a file for each architecture
// (_amd64.go, _arm64.go):
//
//	func init() { kernels.Set(&sum, kernels.AVX2, sumAVX2) }
//
// A variable with kernels for several tiers is set by a function: see Register.
//
// Two packages differ, and have a _noasm.go for other machines. Package xxh3 calls
// its kernels by name, because arguments of a call through a variable escape, so
// its state would not stay on the stack. Package shuffle has tables of kernels by
// the size of an item, and a variable for the tier, because one call uses several
// kernels in turn.
//
// The tier is the fastest that the processor supports, or a lower one named by the
// environment variable BLOSC2_KERNELS, which is read once, when the program starts.
// Every tier makes the same bytes.
package kernels

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Env is the environment variable that caps the tier: none, sse, avx2, avx512 or
// neon.
const Env = "BLOSC2_KERNELS"

// A Tier is a set of kernels. On amd64 a higher one includes the lower ones. A
// package with a kernel that needs instructions beyond those of its tier checks for
// them itself.
type Tier uint8

const (
	None   Tier = iota // portable Go
	SSE                // amd64: SSE2
	AVX2               // amd64: SSE4.1, AVX2, BMI1 and BMI2
	AVX512             // amd64: AVX-512 with F, BW, DQ and VL
	NEON               // arm64
)

var names = []string{"none", "sse", "avx2", "avx512", "neon"}

// String returns the name of the tier, as in Env.
func (t Tier) String() string { return names[t] }

var (
	current, envErr = choose(os.Getenv(Env), available)
	registered      []func(Tier)
)

// choose returns the highest of tiers that is not above the one that value names. An
// invalid value sets no cap.
func choose(value string, tiers []Tier) (Tier, error) {
	best := tiers[len(tiers)-1]
	i := slices.Index(names, strings.ToLower(value))
	switch {
	case value == "":
		return best, nil
	case i < 0:
		return best, fmt.Errorf("%s=%q: must be one of %s", Env, value, strings.Join(names, ", "))
	case Tier(i) == None:
		return None, nil
	case (Tier(i) == NEON) != (best == NEON) && best != None:
		return best, fmt.Errorf("%s=%s: kernels of another architecture; use one of %v", Env, value, tiers)
	}
	return min(best, Tier(i)), nil
}

// Current returns the tier that runs.
func Current() Tier { return current }

// Tiers returns the tiers that this processor supports, slowest first.
func Tiers() []Tier { return slices.Clone(available) }

// EnvError returns an error if the value of Env is invalid. An invalid value is
// ignored.
func EnvError() error { return envErr }

// Register calls set with the current tier, and again whenever Use chooses
// another one. Packages call it when the program starts.
func Register(set func(Tier)) {
	registered = append(registered, set)
	set(current)
}

// Set sets v to kernel while tier or a higher one runs, and otherwise to the value
// that it has now. Packages call it when the program starts.
func Set[T any](v *T, tier Tier, kernel T) {
	portable := *v
	Register(func(t Tier) {
		*v = portable
		if t >= tier {
			*v = kernel
		}
	})
}

// Use chooses another of Tiers, for tests and measurements. It must not be
// called while kernels run.
func Use(t Tier) error {
	if !slices.Contains(available, t) {
		return fmt.Errorf("kernels: this processor does not support %v; use one of %v", t, available)
	}
	current = t
	for _, set := range registered {
		set(t)
	}
	return nil
}

// Named returns the tier with the given name.
func Named(name string) (t Tier, ok bool) {
	i := slices.Index(names, name)
	return Tier(max(i, 0)), i >= 0
}
