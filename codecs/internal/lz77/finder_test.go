package lz77

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

func TestFind(t *testing.T) {
	var f Finder
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 8))
		data := repetitive(r, r.IntN(1<<(3+seed%16)))
		size := len(data)
		for _, e := range []Effort{{MinLength: 6}, {MinLength: 4}, {MinLength: 5, Double: true}, {Rows: 8, Lazy: 1},
			{Rows: 1}, {Rows: 16, Lazy: 2}, {Rows: 32, Lazy: 2}, {Rows: 32, Far: true, Lazy: 2},
			{Depth: 1, Flat: true}, {Depth: 8, Flat: true, Window: 1000}, {Depth: 3, Flat: true, Window: 65535}} {
			f.Reset(size)
			f.SetKey(MinMatch + r.IntN(5))
			var back []byte
			rep := [2]int{1, 4}
			covered := 0
			for from := 0; from < size; {
				to := min(size, from+1+r.IntN(1<<17))
				seqs := f.Find(data, from, to, e)
				back = expand(t, back, data, from, to, seqs, &rep, e)
				for _, s := range seqs {
					covered += int(s.Length)
				}
				from = to
			}
			if !bytes.Equal(back, data) {
				t.Fatalf("seed %d, %d bytes, %+v: another input", seed, size, e)
			}
			if size > 10000 && covered < size/4 {
				t.Errorf("seed %d, %d bytes, %+v: matches cover %d", seed, size, e, covered)
			}
		}
	}
}

// All tiers of kernels find the same sequences in the fast search.
func TestFast(t *testing.T) {
	finders := make([]Finder, len(kernels.Tiers()))
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 9))
		data := repetitive(r, r.IntN(1<<(3+seed%16)))
		if seed%3 == 0 {
			for i := range data {
				data[i] &= 3 // few values, which cause collisions
			}
		}
		e := Effort{MinLength: 4 + int(seed%5), Literal: int(seed%4) * 500, Double: seed/4%2 == 1, Flat: seed/8%3 == 2}
		if e.Flat && seed/32%2 == 1 {
			e.Window = 1 + r.IntN(1<<17)
		}
		for i := range finders {
			finders[i].Reset(len(data))
		}
		for from := 0; from < len(data); {
			to := min(len(data), from+1+r.IntN(1<<16))
			findAll(t, finders, data, from, to, e)
			from = to
		}
	}
}

// TestFastAfterNoise finds out whether the fast search, whose steps grow in noise, finds
// data that follow and repeat what was in the noise, or themselves.
func TestFastAfterNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 27))
	for _, e := range []Effort{{MinLength: 6}, {MinLength: 5, Double: true}, {Flat: true}} {
		for _, distance := range []int{375, 1000, 4096, 50001, 81920} {
			data := make([]byte, 1<<17)
			const from = 96 << 10
			for i := range data {
				if data[i] = byte(r.Uint32()); i >= from {
					data[i] = data[i-distance]
				}
			}
			finders := make([]Finder, len(kernels.Tiers()))
			matched := 0
			for _, s := range findAll(t, finders, data, 0, len(data), e) {
				matched += int(s.Length)
			}
			if rest := len(data) - from; matched < rest/2 {
				t.Errorf("%+v, repeated after %d bytes: matches of %d bytes of %d", e, distance, matched, rest)
			}
		}
	}
}
