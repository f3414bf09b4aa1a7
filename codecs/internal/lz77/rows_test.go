package lz77

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly finds the same matches as the generic loops, and leaves the same rows.
func TestRows(t *testing.T) {
	t.Run("16", func(t *testing.T) { testRows(t, new(rows16), new(rows16), 16) })
	t.Run("32", func(t *testing.T) { testRows(t, new(rows32), new(rows32), 18) })
	t.Run("wide", func(t *testing.T) { testRows(t, new(wideRows), new(wideRows), 18) })
}

// testRows tests rows with inputs of up to 1<<bits bytes.
func testRows[P position, T tags, A places[P]](t *testing.T, mine, generic *rows[P, T, A], bits int) {
	var one T
	seeds := uint64(3000)
	if testing.Short() { // as in emulators, where there is no assembly
		seeds = 300
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 10))
		data := repetitive(r, 16+r.IntN(1<<(3+int(seed)%(bits-2))))
		if seed%3 == 0 {
			for i := range data {
				data[i] &= 3 // many positions with the same word
			}
		}
		for _, x := range []*rows[P, T, A]{mine, generic} {
			x.reset(len(data), MinMatch+int(seed%5))
			x.attempts, x.greedy, x.rep = 1+int(seed)%len(one), seed%2 == 0, r.IntN(4)
		}
		generic.rep = mine.rep
		to := len(data) - r.IntN(8)
		limit := to - tail
		for ip, anchor := 1, 0; ip < limit; {
			found := mine.seek(data, ip, anchor, limit, to)
			if want := generic.seekGeneric(data, ip, anchor, limit, to); found != want {
				t.Fatalf("seed %d, from %d on: found %v, not %v", seed, ip, found, want)
			}
			if !found {
				break
			}
			same(t, seed, &mine.rowSearch, &generic.rowSearch)
			ip = mine.ip + 1
			if r.IntN(2) == 0 && ip < limit {
				mine.search(data, ip, to)
				generic.searchGeneric(data, ip, to)
				same(t, seed, &mine.rowSearch, &generic.rowSearch)
			}
			ip += r.IntN(1 << r.IntN(12))
			anchor = ip - r.IntN(ip)
		}
		if !slices.Equal(mine.near, generic.near) || !slices.Equal(mine.rows, generic.rows) || !slices.Equal(mine.at, generic.at) {
			t.Fatalf("seed %d: other rows", seed)
		}
	}
}

func same(t *testing.T, seed uint64, got, want *rowSearch) {
	t.Helper()
	if *got != *want {
		t.Fatalf("seed %d: %+v, not %+v", seed, *got, *want)
	}
}
