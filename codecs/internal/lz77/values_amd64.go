//go:build !purego

package lz77

import "golang.org/x/sys/cpu"

//go:noescape
func scan16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int)

//go:noescape
func scan32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int)

var hasScan = cpu.X86.HasBMI2

// scanFast is scanGeneric in assembly, where there is some.
func scanFast[P position](v *Values[P], repeats []Repeat, src []byte, from, window int) bool {
	if !hasScan {
		return false
	}
	to := from + len(repeats)
	switch v := any(v).(type) {
	case *Values[uint16]:
		scan16(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[0], &src[0], from, to, window)
	case *Values[uint32]:
		scan32(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[0], &src[0], from, to, window)
	}
	return true
}
