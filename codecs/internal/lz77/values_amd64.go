//go:build !purego

package lz77

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:noescape
func scan16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int)

//go:noescape
func scan32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int)

// These take multiples of scanStep words.
//
//go:noescape
func scanWide16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int, scratch *[6 * 1024]byte)

//go:noescape
func scanWide32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int, scratch *[6 * 1024]byte)

const scanStep = 16

var hasScan, hasScanWide bool

func init() {
	kernels.Register(func(t kernels.Tier) {
		hasScan = t >= kernels.AVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
		hasScanWide = t >= kernels.AVX512 && hasScan && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
	})
}

// scanFast is scanGeneric in assembly, where there is some.
func scanFast[P position](v *Values[P], repeats []Repeat, src []byte, from, window int) bool {
	if !hasScan {
		return false
	}
	wide := 0
	if hasScanWide {
		wide = len(repeats) &^ (scanStep - 1)
	}
	between, to := from+wide, from+len(repeats)
	switch v := any(v).(type) {
	case *Values[uint16]:
		if from < between {
			scanWide16(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[0], &src[0], from, between, window, &v.scratch)
		}
		if between < to {
			scan16(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[wide], &src[0], between, to, window)
		}
	case *Values[uint32]:
		if from < between {
			scanWide32(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[0], &src[0], from, between, window, &v.scratch)
		}
		if between < to {
			scan32(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[wide], &src[0], between, to, window)
		}
	}
	return true
}
