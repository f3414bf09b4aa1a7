package lz77

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly finds the same matches as the generic loops, and leaves the same rows.
func TestRows(t *testing.T) {
	t.Run("16", func(t *testing.T) { testRows[uint16](t, 16) })
	t.Run("32", func(t *testing.T) { testRows[uint32](t, 18) })
}

// testRows tests rows with inputs of up to 1<<bits bytes.
func testRows[P position](t *testing.T, bits int) {
	var mine, generic rows[P]
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 10))
		data := repetitive(r, 16+r.IntN(1<<(3+int(seed)%(bits-2))))
		if seed%3 == 0 {
			for i := range data {
				data[i] &= 3 // many positions with the same word
			}
		}
		for _, x := range []*rows[P]{&mine, &generic} {
			x.reset(len(data))
			x.attempts, x.greedy, x.rep = 1+int(seed%16), seed%2 == 0, r.IntN(4)
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
				mine.search(data, ip, to, 0)
				generic.searchGeneric(data, ip, to)
				same(t, seed, &mine.rowSearch, &generic.rowSearch)
			}
			ip += r.IntN(1 << r.IntN(12))
			anchor = ip - r.IntN(ip)
		}
		if !slices.Equal(mine.table, generic.table) {
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
