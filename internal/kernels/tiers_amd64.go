//go:build !purego

package kernels

import "golang.org/x/sys/cpu"

var available = func() []Tier {
	switch x := &cpu.X86; {
	case x.HasAVX2 && x.HasBMI2 && x.HasAVX512F && x.HasAVX512BW:
		return []Tier{None, SSE, AVX2, AVX512}
	case x.HasAVX2 && x.HasBMI2:
		return []Tier{None, SSE, AVX2}
	}
	return []Tier{None, SSE}
}()
