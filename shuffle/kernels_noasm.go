//go:build purego || (!amd64 && !arm64)

package shuffle

import "github.com/seed03b80dae/blosc2/internal/kernels"

func levelOf(kernels.Tier) level { return generic }

var (
	vectorKernels flatKernels
	planeTiers    []planeKernels
)

// Without assembly the functions below do nothing, and return that they have done
// nothing.

func gatherAsm([]byte, int, []byte, int, int, int) int  { return 0 }
func scatterAsm([]byte, int, []byte, int, int, int) int { return 0 }
