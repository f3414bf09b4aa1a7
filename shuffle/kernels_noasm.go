//go:build purego || (!amd64 && !arm64)

package shuffle

import "github.com/seed03b80dae/blosc2/internal/kernels"

func levelOf(kernels.Tier) level { return generic }

// Without assembly the functions below do nothing, and say so.

func gatherAsm([]byte, int, []byte, int, int, int) int   { return 0 }
func scatterAsm([]byte, int, []byte, int, int, int) int  { return 0 }
func bitRowsAsm([]byte, int, []byte, int, int, int) int  { return 0 }
func bitBytesAsm([]byte, int, []byte, int, int, int) int { return 0 }
func xorAsm([]byte, []byte, []byte) int                  { return 0 }
func maskAsm([]byte, []byte, uint64) int                 { return 0 }
func byteDeltaAsm([]byte, []byte) int                    { return 0 }
func undeltaAsm([]byte, []byte, int) int                 { return 0 }
func unByteDeltaAsm([]byte, []byte) int                  { return 0 }
