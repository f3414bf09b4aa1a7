//go:build !purego

package lz77

import "github.com/seed03b80dae/blosc2/internal/kernels"

//go:noescape
func scan16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int)

//go:noescape
func scan32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int)

// These functions scan multiples of scanStep words.
//
//go:noescape
func scanWide16(one, two *uint16, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int, scratch *[6 * 1024]byte)

//go:noescape
func scanWide32(one, two *uint32, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int, scratch *[6 * 1024]byte)

const scanStep = 16

func init() {
	kernels.Set(&scanFunc16, kernels.AVX2, scanner(scan16, scanWide16))
	kernels.Set(&scanFunc32, kernels.AVX2, scanner(scan32, scanWide32))
}

// scanner returns a scanFunc of the kernels for positions of one size.
func scanner[P position](
	scan func(one, two *P, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int),
	scanWide func(one, two *P, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int, scratch *[6 * 1024]byte),
) func(v *Values[P], repeats []Repeat, src []byte, from, window int) {
	return func(v *Values[P], repeats []Repeat, src []byte, from, window int) {
		between, to := from, from+len(repeats)
		if kernels.Current() >= kernels.AVX512 {
			between = to - len(repeats)%scanStep
		}
		if from < between {
			scanWide(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[0], &src[0], from, between, window, &v.scratch)
		}
		if between < to {
			scan(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[between-from], &src[0], between, to, window)
		}
	}
}
