// Package mem loads and stores words at any index of a slice.
//
// On little-endian machines with unaligned loads there are no bounds checks: a
// caller that passes an index out of range corrupts memory. With the build tag
// purego every access is checked and panics. The codecs' tests and fuzz targets run
// both ways, so that an access out of range, which panics in the checked build, is
// found.
package mem

// Copy32 copies 32 bytes in two steps: if dst is src and i ≥ j+16, the second step
// may copy what the first one wrote.
func Copy32(dst []byte, i int, src []byte, j int) {
	Copy16(dst, i, src, j)
	Copy16(dst, i+16, src, j+16)
}

// Repeat writes n bytes to b[i:] that repeat the preceding distance bytes. The
// caller must have checked all three against b.
func Repeat(b []byte, i, distance, n int) {
	from, end := i-distance, i+n
	for i < end {
		// Each copy doubles what the next one can copy.
		i += copy(b[i:end], b[from:i])
	}
}

// CopyMatch has the same result as Repeat. It is meant for matches of up to a few hundred
// bytes, and is fast at short distances too.
func CopyMatch(b []byte, i, distance, n int) {
	from := i - distance
	switch {
	case i+n+32 > len(b):
		Repeat(b, i, distance, n)
	case distance >= 16:
		for k := 0; k < n; k += 16 {
			Copy16(b, i+k, b, from+k)
		}
	case distance >= 8:
		for k := 0; k < n; k += 8 {
			Store64(b, i+k, Load64(b, from+k))
		}
	default:
		period, step := Period(Load64(b, from), distance)
		for k := 0; k < n; k += step {
			Store64(b, i+k, period)
		}
	}
}

// periods holds, for each period of less than 8 bytes, the mask of the first period in a
// word, the factor that repeats it, and how many bytes of the product are whole periods.
var periods = [8]struct {
	mask, repeat uint64
	step         int
}{
	1: {0xff, 0x0101010101010101, 8},
	2: {0xffff, 0x0001000100010001, 8},
	3: {0xffffff, 0x0001000001000001, 6},
	4: {0xffffffff, 0x0000000100000001, 8},
	5: {0xffffffffff, 0x0000010000000001, 5},
	6: {0xffffffffffff, 0x0001000000000001, 6},
	7: {0xffffffffffffff, 0x0100000000000001, 7},
}

// Period returns a word that repeats the first distance bytes of w, 1 to 7, and
// how many of its bytes are whole periods.
func Period(w uint64, distance int) (period uint64, step int) {
	p := &periods[distance&7]
	return w & p.mask * p.repeat, p.step
}
