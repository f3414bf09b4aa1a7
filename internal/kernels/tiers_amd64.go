//go:build !purego

package kernels

import "golang.org/x/sys/cpu"

var available = func() []Tier {
	x := &cpu.X86
	avx2 := x.HasSSE41 && x.HasAVX2 && x.HasBMI1 && x.HasBMI2
	switch {
	case avx2 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
		return []Tier{None, SSE, AVX2, AVX512}
	case avx2:
		return []Tier{None, SSE, AVX2}
	}
	return []Tier{None, SSE}
}()
