package lz77

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// Repeated words are found as values, parts that are noise are left to the other
// search, and the sequences reproduce the input.
func TestFindValues(t *testing.T) {
	var f Finder
	whole, left := 0, 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 9))
		var data []byte
		size := 1<<14 + r.IntN(1<<20)
		if seed%4 == 0 {
			// These data look like values until parts of words repeat without the rest;
			// the matches found until then must have no effect.
			size = max(size, 1<<16)
			for i := range uint64(5000) {
				w := (1 + r.Uint64N(2)) * 0x9e3779b97f4a7c15
				if i%2 == 0 {
					w = 0x1122334455667788 ^ i<<8
				}
				data = binary.LittleEndian.AppendUint64(data, w)
			}
		}
		for len(data) < size {
			kinds, noise := 1+r.Uint64N(1<<(1+seed%13)), len(data) > 0 && r.IntN(4) == 0
			// Include short stretches, so that the sample is neither all values nor
			// all noise.
			for range min(1+r.IntN(1<<(6+r.IntN(10))), (size-len(data)+7)/8) {
				w := r.Uint64N(kinds) * 0x9e3779b97f4a7c15
				if noise {
					w = r.Uint64()
				}
				data = binary.LittleEndian.AppendUint64(data, w)
			}
		}
		data = data[:size]
		e := Effort{Depth: int(seed % 3), Lazy: int(seed % 2), MinLength: 5, Values: true, ValueDepth: int(seed/2%3) * 7, FastDecode: seed%4 < 2}
		f.Reset(size)
		rep := [2]int{1, 4}
		var back []byte
		for from := 0; from < size; from += 1 << 17 {
			to := min(size, from+1<<17)
			repeats, seqs := f.Repeats(), f.Find(data, from, to, e)
			if f.ofValues {
				whole++
			} else {
				left++
			}
			if r.IntN(5) == 0 { // as if the block had been stored
				f.SetRepeats(repeats)
				back = append(back, data[from:to]...)
				continue
			}
			back = expand(t, back, data, from, to, seqs, &rep, e)
		}
		if !bytes.Equal(back, data) {
			t.Fatalf("seed %d, %d bytes: another input", seed, size)
		}
	}
	if whole == 0 || left == 0 {
		t.Errorf("%d parts were found to be values, %d not", whole, left)
	}
}
