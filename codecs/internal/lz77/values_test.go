package lz77

import (
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

func putWord(b []byte, i int, w uint64) { mem.Store64(b, i*ValueSize, w) }

// The assembly finds the same repetitions as the generic code, and they are correct.
func TestScan(t *testing.T) {
	t.Run("16", func(t *testing.T) { testScan(t, new(Values[uint16]), new(Values[uint16])) })
	t.Run("32", func(t *testing.T) { testScan(t, new(Values[uint32]), new(Values[uint32])) })
}

func testScan[P position](t *testing.T, v, generic *Values[P]) {
	const words = 1<<16 + 9000 // positions of 16 bits wrap around
	src := make([]byte, words*ValueSize)
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 3))
		kinds := 1 << (seed % 14)
		for i := range words {
			switch {
			case i > 0 && r.IntN(3) == 0:
				d := 1 + r.IntN(min(i, 1<<r.IntN(17)))
				putWord(src, i, mem.Load64(src, (i-d)*ValueSize))
			case seed%2 == 0:
				putWord(src, i, uint64(r.IntN(kinds)))
			default:
				putWord(src, i, uint64(r.IntN(kinds))*0x9e3779b97f4a7c15)
			}
		}
		oneBits, twoBits := 8+uint(seed%9), 8+uint(seed/2%9)
		v.Reset(words, oneBits, twoBits)
		generic.Reset(words, oneBits, twoBits)
		window := []int{8191, 1, 100, 1<<16 - 1}[seed%4]
		singles, pairs := 0, 0
		for from := 0; from < words-3; {
			n := min(1+r.IntN(len(v.Repeats)), words-3-from)
			v.Scan(v.Repeats[:n], src, from, window)
			generic.scanGeneric(generic.Repeats[:n], src, from, window)
			for k := range n {
				got, want := v.Repeats[k], generic.Repeats[k]
				if got != want {
					t.Fatalf("seed %d, word %d: %#x, generic %#x", seed, from+k, got, want)
				}
				i, d, equal := from+k, got.Distance(), got.Words()
				if (d == 0) != (equal == 0) || d > window || d > i {
					t.Fatalf("seed %d, word %d: %d equal %d before", seed, i, equal, d)
				}
				for j := i; j < i+equal; j++ {
					if mem.Load64(src, j*ValueSize) != mem.Load64(src, (j-d)*ValueSize) {
						t.Fatalf("seed %d, word %d: %d are not equal %d before", seed, i, equal, d)
					}
				}
				singles += min(equal, 1)
				pairs += equal / 2
			}
			from += n
		}
		if window > 1000 && (singles == 0 || pairs == 0) {
			t.Errorf("seed %d: %d words and %d pairs were found", seed, singles, pairs)
		}
	}
}
