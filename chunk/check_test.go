package chunk_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Check returns the errors of Decode, for the chunks of the corpus and for damaged
// ones.
func TestCheck(t *testing.T) {
	whole, damaged, faulty := 0, 0, 0
	rng := rand.New(rand.NewPCG(3, 4))
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "chunk" {
			continue
		}
		d := chunk.Decoder{MaxBytes: 16 << 20}
		c := e.Bytes(t)
		checkAgrees(t, e.Path, &d, c)
		whole++
		for n := range 6 {
			b := bytes.Clone(c)
			if n == 0 {
				b = b[:rng.IntN(len(b)+1)]
			} else if len(b) > 0 {
				b[rng.IntN(min(len(b), 1<<uint(3+2*n)))] ^= byte(1 + rng.IntN(255))
			}
			damaged++
			if checkAgrees(t, e.Path+", damaged", &d, b) {
				faulty++
			}
		}
	}
	t.Logf("%d chunks, %d damaged ones of which %d cannot be decoded", whole, damaged, faulty)
	if damaged > 0 && (faulty == 0 || faulty == damaged) {
		t.Error("the damage shows nothing")
	}
}

// Parts that a chunk does not have are rejected.
func TestCheckPartRange(t *testing.T) {
	var d chunk.Decoder
	c, err := chunk.AppendZeros(nil, 100, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []int{-1, 2, 3} {
		if d.CheckPart(c, part, 2) == nil {
			t.Errorf("part %d of 2", part)
		}
	}
}

// BenchmarkCheck measures decoding a chunk, and checking it.
func BenchmarkCheck(b *testing.B) {
	src := payload(1<<20, 4, 1)
	p := chunk.Default()
	p.TypeSize = 4
	e, err := chunk.NewEncoder(p)
	if err != nil {
		b.Fatal(err)
	}
	c, err := e.Encode(nil, src)
	if err != nil {
		b.Fatal(err)
	}
	var d chunk.Decoder
	out := make([]byte, 0, len(src))
	for name, f := range map[string]func() error{
		"check":  func() error { return d.Check(c) },
		"decode": func() error { _, err := d.Decode(out, c); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
