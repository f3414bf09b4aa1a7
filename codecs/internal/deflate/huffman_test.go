package deflate

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/huffman"
)

type sums []uint64

func (s sums) Len() int           { return len(s) }
func (s sums) Less(i, j int) bool { return s[i] < s[j] }
func (s sums) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *sums) Push(v any)        { *s = append(*s, v.(uint64)) }
func (s *sums) Pop() any {
	v := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return v
}

// shortest returns the number of bits that the best code without a limit takes.
func shortest(freq []uint32) (total uint64) {
	var h sums
	for _, f := range freq {
		if f > 0 {
			heap.Push(&h, uint64(f))
		}
	}
	if len(h) == 1 {
		return h[0]
	}
	for len(h) > 1 {
		sum := heap.Pop(&h).(uint64) + heap.Pop(&h).(uint64)
		total += sum
		heap.Push(&h, sum)
	}
	return total
}

func TestLengths(t *testing.T) {
	var b huffman.Builder
	var c code
	r := rand.New(rand.NewPCG(2, 2))
	for n := range 3000 {
		freq := make([]uint32, []int{19, numDistances, numLiterals}[n%3])
		used := 1 + r.IntN(len(freq))
		for range used {
			s := r.IntN(len(freq))
			freq[s] = 1 + uint32(r.IntN(1<<r.IntN(17)))
			if n%5 == 0 { // very unequal frequencies, so that the limit matters
				freq[s] = 1 << min(r.IntN(used), 16)
			}
		}
		limit := 14
		if n%3 == 0 {
			limit = 7
		}
		c.build(&b, freq, limit)
		lengths := c.lengths[:len(freq)]
		left, total, symbols, longest := 1<<limit, uint64(0), 0, 0
		for s, l := range lengths {
			if (l == 0) != (freq[s] == 0) || int(l) > limit {
				t.Fatalf("case %d: %d bits for a symbol that occurs %d times, limit %d", n, l, freq[s], limit)
			}
			if l > 0 {
				left -= 1 << (limit - int(l))
				symbols++
			}
			total += uint64(l) * uint64(freq[s])
			longest = max(longest, int(l))
		}
		if symbols > 1 && left != 0 || symbols == 1 && longest != 1 {
			t.Fatalf("case %d: %d symbols, %d of %d codes left over", n, symbols, left, 1<<limit)
		}
		best := shortest(freq)
		if longest < limit && total != best {
			t.Fatalf("case %d: %d bits, the best code takes %d", n, total, best)
		}
		if total < best || total > best+best/8 {
			t.Errorf("case %d: %d bits, without a limit %d", n, total, best)
		}
	}
}

func TestCodes(t *testing.T) {
	// This is the example of RFC 1951, 3.2.2.
	lengths := []uint8{3, 3, 3, 3, 3, 2, 4, 4}
	want := []uint32{0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111} // the first bit of each code is the lowest
	var c code
	c.fix(len(lengths), func(s int) uint8 { return lengths[s] })
	c.assign()
	for s, c := range c.codes[:len(lengths)] {
		if c != want[s]<<8|uint32(lengths[s]) {
			t.Errorf("symbol %d: code %b of %d bits, want %b of %d", s, c>>8, c&255, want[s], lengths[s])
		}
	}
}

func TestLogs(t *testing.T) {
	makeTables()
	for n := uint32(1); n < 1<<20; n += 1 + n/300 {
		want := float64(n) * math.Log2(float64(n)) * costUnit
		if got := float64(nlogn(n)); math.Abs(got-want) > 1+want/1e5 {
			t.Errorf("%d: %.0f, want %.0f", n, got, want)
		}
	}
	if nlogn(0) != 0 {
		t.Error("nothing costs something")
	}
}

func TestSymbols(t *testing.T) {
	makeTables()
	for l := minMatch; l <= maxMatch; l++ {
		s := lengthSymbols[l]
		if x := l - int(lengthBase[s]); x < 0 || x >= 1<<lengthExtra[s] {
			t.Errorf("length %d: symbol %d begins at %d and has %d bits", l, s, lengthBase[s], lengthExtra[s])
		}
	}
	if lengthSymbols[maxMatch] != numLiterals-firstLength-1 {
		t.Error("the longest match has not the symbol of its own")
	}
	base := uint32(0)
	for s, x := range distanceExtra {
		for _, d := range []uint32{base, base + 1<<x - 1} {
			if distanceSymbol(d) != uint32(s) {
				t.Errorf("distance %d: symbol %d, want %d", d+1, distanceSymbol(d), s)
			}
		}
		base += 1 << x
	}
	if base != 1<<15 {
		t.Errorf("the distances end at %d", base)
	}
}
