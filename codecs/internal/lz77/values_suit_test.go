package lz77

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// Columns of whole values are searched for these, and long runs of a value only where that
// takes less time than a search by bytes. Data whose words do not repeat, or only in part,
// are not, nor are words that repeat only until another one follows. In short inputs a fast
// search does not look for values.
func TestSuits(t *testing.T) {
	fast, deep, thorough := Effort{MinLength: 6, Values: true}, Effort{Depth: 8, Weigh: 1, ValueDepth: 16, Values: true}, Effort{Depth: 32, Weigh: 2, ValueDepth: 64, Values: true}
	values := func(n int) func(*rand.Rand) uint64 {
		return func(r *rand.Rand) uint64 { return uint64(r.IntN(n)+1) * prime1 }
	}
	// held returns words of records: each of n fields holds its value for some time.
	held := func(n int) func(*rand.Rand) uint64 {
		fields, at := make([]uint64, n), 0
		return func(r *rand.Rand) uint64 {
			at = (at + 1) % n
			if fields[at] == 0 || r.IntN(5) == 0 {
				fields[at] = r.Uint64()
			}
			return fields[at]
		}
	}
	rounded := func(r *rand.Rand) uint64 { return 0x4059000000000000 + r.Uint64N(200)<<40 }
	for _, test := range []struct {
		name                 string
		word                 func(*rand.Rand) uint64
		run                  int // the same word follows so often
		fast, deep, thorough bool
	}{
		{"categories", values(200), 1, true, true, true},
		{"pairs", values(200), 2, true, true, true},
		{"runs", values(200), 60, false, true, false},
		{"runs of rounded numbers", rounded, 60, false, true, false},
		{"held", held(40), 1, false, false, false},
		{"noise", func(r *rand.Rand) uint64 { return r.Uint64() }, 1, false, false, false},
		{"many values", values(10_000), 1, false, false, false},
		{"small integers", func(r *rand.Rand) uint64 { return r.Uint64N(200) }, 1, false, false, false},
		{"rounded numbers", rounded, 1, false, false, false},
	} {
		r := rand.New(rand.NewPCG(1, 1))
		for _, words := range []int{LeastWords + 3, 4096, 12<<10 - 1, 12 << 10, 16384} {
			var data []byte
			for i, w := 0, uint64(0); i < words; i++ {
				if i%test.run == 0 {
					w = test.word(r)
				}
				data = binary.LittleEndian.AppendUint64(data, w)
			}
			for _, c := range []struct {
				name   string
				effort Effort
				want   bool
			}{{"fast", fast, test.fast}, {"deep", deep, test.deep}, {"thorough", thorough, test.thorough}} {
				var f Finder
				f.Reset(len(data))
				want := c.want && (c.name != "fast" || words >= 12<<10)
				if _, ok := f.FindValues(data, 0, len(data), c.effort); ok != want {
					t.Errorf("%s, %d words, %s: %v", test.name, words, c.name, ok)
				}
			}
		}
	}
}
