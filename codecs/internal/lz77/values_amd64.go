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
	kernels.Register(func(t kernels.Tier) {
		scanFunc16, scanFunc32 = nil, nil
		if t < kernels.AVX2 {
			return
		}
		wide := 0 // number of words that AVX-512 processes
		if t >= kernels.AVX512 {
			wide = -scanStep
		}
		scanFunc16 = scanner(scan16, scanWide16, wide)
		scanFunc32 = scanner(scan32, scanWide32, wide)
	})
}

// scanner returns a scanFunc of the kernels for positions of one size. wide is a mask for
// the number of words that the wide one scans.
func scanner[P position](
	scan func(one, two *P, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int),
	scanWide func(one, two *P, oneShift, twoShift uint, repeats *Repeat, src *byte, from, to, window int, scratch *[6 * 1024]byte),
	wide int,
) func(v *Values[P], repeats []Repeat, src []byte, from, window int) {
	return func(v *Values[P], repeats []Repeat, src []byte, from, window int) {
		between, to := from+len(repeats)&wide, from+len(repeats)
		if from < between {
			scanWide(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[0], &src[0], from, between, window, &v.scratch)
		}
		if between < to {
			scan(&v.one[0], &v.two[0], v.oneShift, v.twoShift, &repeats[between-from], &src[0], between, to, window)
		}
	}
}
