package blosclz

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSearch compares the search, in assembly if available, with the generic one:
// the matches, the position where it stops, and the table.
func TestSearch(t *testing.T) {
	t.Run("near", func(t *testing.T) { compareSearch(t, 1<<16, assembly16) })
	t.Run("far", func(t *testing.T) { compareSearch(t, 1<<17, assembly32) })
}

func compareSearch[P position](t *testing.T, longest int, asm assembly[P]) {
	r := rand.New(rand.NewPCG(1, uint64(longest)))
	total := 0
	for range 400 {
		src := searchInput(r, trailingInput+8+r.IntN(longest-trailingInput-8))
		ours, generic := table[P]{asm: asm}, table[P]{}
		bits := uint8(10 + r.IntN(5))
		ours.reset(bits)
		generic.reset(bits)
		deep, minFar := r.IntN(2) == 0, []int{minMatchLength, minFarLength}[r.IntN(2)]
		found, want := make([]match, 1+r.IntN(100)), make([]match, 100)
		want = want[:len(found)]
		limit := len(src) - trailingInput
		for i := 0; i < limit; {
			to := min(limit, i+1+r.IntN(len(src)))
			n, next := ours.search(src, i, to, minFar, deep, found)
			m, wantNext := generic.searchGeneric(src, i, to, minFar, deep, want)
			if n != m || next != wantNext || !slices.Equal(found[:n], want[:m]) {
				t.Fatalf("%d bytes, from %d to %d: %d matches, then %d; the generic search has %d, then %d", len(src), i, to, n, next, m, wantNext)
			}
			if ours.at != generic.at {
				t.Fatalf("%d bytes, from %d to %d: other places remembered", len(src), i, to)
			}
			i, total = next, total+n
		}
	}
	if total == 0 {
		t.Fatal("nothing was found")
	}
}

// searchInput makes bytes of few values, with copies of earlier parts.
func searchInput(r *rand.Rand, n int) []byte {
	src := make([]byte, 0, n)
	values := 1 + r.IntN(256)
	for len(src) < n {
		k := min(1+r.IntN(300), n-len(src))
		if from := len(src); from > 0 && r.IntN(2) == 0 {
			d := 1 + r.IntN(from)
			for range k {
				src = append(src, src[len(src)-d])
			}
			continue
		}
		for range k {
			src = append(src, byte(r.IntN(values)))
		}
	}
	return src
}
