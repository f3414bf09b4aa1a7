package lz77

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// expand appends to dst the bytes src[from:to], reproduced from their sequences, and
// checks that these are valid.
func expand(t *testing.T, dst, src []byte, from, to int, seqs []Seq, rep *[2]int, e Effort) []byte {
	t.Helper()
	at := from
	for i, s := range seqs {
		dst = append(dst, src[at:at+int(s.Literals)]...)
		distance := int(s.Off) - RepeatCodes
		switch {
		case s.Off > RepeatCodes:
			*rep = [2]int{distance, rep[0]}
		case s.Off != 1 || e.Flat:
			t.Fatalf("sequence %d: offset code %d", i, s.Off)
		case s.Literals == 0:
			*rep = [2]int{rep[1], rep[0]}
			distance = rep[0]
		default:
			distance = rep[0]
		}
		if s.Length < MinMatch || distance < 1 || distance > len(dst) || e.Window > 0 && distance > e.Window {
			t.Fatalf("sequence %d: %d bytes, %d before %d", i, s.Length, distance, len(dst))
		}
		if start := at + int(s.Literals); start > to-tail {
			t.Fatalf("sequence %d begins at %d, less than %d bytes before %d", i, start, tail, to)
		}
		for range s.Length {
			dst = append(dst, dst[len(dst)-distance])
		}
		at += int(s.Literals + s.Length)
	}
	return append(dst, src[at:to]...)
}

// findAll searches src[from:to] with a Finder for each tier of kernels, and returns the
// sequences, which must be the same.
func findAll(t *testing.T, finders []Finder, src []byte, from, to int, e Effort) (first []Seq) {
	t.Helper()
	defer kernels.Use(kernels.Current())
	for i, tier := range kernels.Tiers() {
		if err := kernels.Use(tier); err != nil {
			t.Fatal(err)
		}
		seqs := finders[i].Find(src, from, to, e)
		if i == 0 {
			first = slices.Clone(seqs)
		} else if !slices.Equal(first, seqs) || finders[i].rep != finders[0].rep {
			t.Fatalf("%+v, %d to %d of %d bytes: %v finds other sequences", e, from, to, len(src), tier)
		}
	}
	return first
}

// repetitive makes data that repeat themselves at all distances and lengths.
func repetitive(r *rand.Rand, size int) []byte {
	var data []byte
	for len(data) < size {
		n := min(1+r.IntN(1<<r.IntN(12)), size-len(data))
		distance := 1 + r.IntN(len(data)+1)
		for range n {
			if distance > len(data) {
				data = append(data, byte(r.Uint32()))
			} else {
				data = append(data, data[len(data)-distance])
			}
		}
	}
	return data
}
