package lz77

import (
	"math/rand/v2"
	"testing"
)

// The assembly finds the same matches as the generic loops, and leaves the same rows.
func TestRows(t *testing.T) {
	var mine, generic rows
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 10))
		data := repetitive(r, 16+r.IntN(1<<(3+seed%14)))
		if seed%3 == 0 {
			for i := range data {
				data[i] &= 3 // many positions with the same word
			}
		}
		for _, x := range []*rows{&mine, &generic} {
			x.reset(len(data))
			x.attempts, x.greedy, x.rep = 1+int(seed%16), seed%2 == 0, r.IntN(4)
		}
		generic.rep = mine.rep
		to := len(data) - r.IntN(8)
		limit := to - tail
		for ip, anchor := 1, 0; ip < limit; {
			found := seekRows(&mine, data, ip, anchor, limit, to)
			if want := generic.seekGeneric(data, ip, anchor, limit, to); found != want {
				t.Fatalf("seed %d, from %d on: found %v, not %v", seed, ip, found, want)
			}
			if !found {
				break
			}
			same(t, seed, &mine, &generic)
			ip = mine.ip + 1
			if r.IntN(2) == 0 && ip < limit {
				searchRows(&mine, data, ip, to)
				generic.searchGeneric(data, ip, to)
				same(t, seed, &mine, &generic)
			}
			ip += r.IntN(1 << r.IntN(12))
			anchor = ip - r.IntN(ip)
		}
		if *mine.table != *generic.table {
			t.Fatalf("seed %d: other rows", seed)
		}
	}
}

func same(t *testing.T, seed uint64, got, want *rows) {
	t.Helper()
	g, w := *got, *want
	g.table, w.table = nil, nil
	if g != w {
		t.Fatalf("seed %d: %+v, not %+v", seed, g, w)
	}
}
