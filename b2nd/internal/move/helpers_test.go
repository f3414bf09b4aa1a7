package move

import (
	"math/rand/v2"
)

// naive copies runs byte by byte.
func naive(dst, src []byte, runs []place, do, so, run int) {
	for _, p := range runs {
		for i := range run {
			dst[do+int(p.dst)+i] = src[so+int(p.src)+i]
		}
	}
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
