//go:build purego || (!amd64 && !arm64)

package shuffle

import "github.com/seed03b80dae/blosc2/internal/kernels"

func levelOf(kernels.Tier) level { return generic }

var (
	vectorKernels                 flatKernels
	gatherKernels, scatterKernels assembly
)

// An assembly is empty: there is no assembly for this processor.
type assembly struct{ bitPlanes []bitKernel }

func (*direction) transposeAsm([]byte, int, []byte, int, int, int) int { return 0 }
