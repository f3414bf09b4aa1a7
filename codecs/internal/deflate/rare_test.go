package deflate

import (
	"math/rand/v2"
	"testing"
)

// Offsets in items at which no match has begun for a long time are mostly skipped, but
// the exceptions cover all offsets, so matches after noise are still found.
func TestSkips(t *testing.T) {
	for _, size := range []int{8, 16, 32, 40, 64, 80, 96, 128} {
		r := rand.New(rand.NewPCG(1, uint64(size)))
		noise := func(n int) []byte {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return b
		}
		own := min(16, size/2)
		tails := make([][]byte, 32)
		for i := range tails {
			tails[i] = noise(size - own)
		}
		data := noise(4 << 10)
		for len(data) < 128<<10 {
			data = append(append(data, noise(own)...), tails[r.IntN(len(tails))]...)
		}
		for _, level := range []int{3, 6, 8, 9} {
			var n [2]int
			for i, item := range []int{0, -values} {
				e := Level(level, 0)
				e.Item = item
				n[i] = new(Encoder).Encode(make([]byte, 2*len(data)), data, 0, e)
			}
			if n[0] == 0 || float64(n[1]) > 1.025*float64(n[0]) {
				t.Errorf("items of %d bytes, level %d: %d bytes, %d if every place is looked at", size, level, n[1], n[0])
			}
		}
	}
}
