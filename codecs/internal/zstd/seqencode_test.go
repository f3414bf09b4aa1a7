package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// The assembly writes the same bytes as the generic loop, for sequences of all
// lengths and offsets.
func TestSequences(t *testing.T) {
	defer func(f func(*sequenceWriter, []byte, []lz77.Seq, []uint32)) { encodeSequences = f }(encodeSequences)
	mine := encodeSequences
	prepare()
	var e Encoder
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		seqs := make([]lz77.Seq, 1+r.IntN(1<<(seed%12)))
		for i := range seqs {
			seqs[i] = lz77.Seq{
				Literals: r.Uint32N(1 << r.IntN(18)),
				Length:   3 + r.Uint32N(1<<r.IntN(18)),
				Off:      1 + r.Uint32N(1<<r.IntN(28)),
			}
			if seed%3 == 0 {
				seqs[i].Literals = 5 // a single symbol, which takes no bits
			}
		}
		encodeSequences = mine
		got := bytes.Clone(e.appendSequences(nil, seqs, maxBlock))
		encodeSequences = encodeSequencesGeneric
		if got == nil || !bytes.Equal(got, e.appendSequences(nil, seqs, maxBlock)) {
			t.Fatalf("seed %d, %d sequences: the generic code writes other bytes", seed, len(seqs))
		}
	}
}

// The largest offset of an input within maxInput fills the word in which the loop
// collects bits; above it, Encode rejects the input.
func TestLargestOffset(t *testing.T) {
	defer func(f func(*sequenceWriter, []byte, []lz77.Seq, []uint32)) { encodeSequences = f }(encodeSequences)
	mine := encodeSequences
	prepare()
	for _, k := range [3]*kind{&literalLengths, &offsets, &matchLengths} {
		if want := uint(9); k.maxLog > want || k == &offsets && k.maxLog > 8 {
			t.Fatalf("logs of tables are up to %d: the sum beside maxOffsetCode is too small", k.maxLog)
		}
	}
	var e Encoder
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		seqs := make([]lz77.Seq, 1000+r.IntN(2000))
		for i := range seqs {
			seqs[i] = lz77.Seq{Literals: r.Uint32N(1 << r.IntN(5)), Length: 3 + r.Uint32N(1<<r.IntN(6)), Off: min(1+r.Uint32N(1<<(20+r.IntN(12))), maxInput-1+lz77.RepeatCodes)}
			if r.IntN(40) == 0 {
				seqs[i].Off = maxInput - 1 + lz77.RepeatCodes
			}
		}
		encodeSequences = mine
		got := bytes.Clone(e.appendSequences(nil, seqs, maxBlock))
		encodeSequences = encodeSequencesGeneric
		if got == nil || !bytes.Equal(got, e.appendSequences(nil, seqs, maxBlock)) {
			t.Fatalf("seed %d, %d sequences: the generic code writes other bytes", seed, len(seqs))
		}
	}
	// Encode must return before it reads any byte: the memory holds only one.
	if n := e.Encode(make([]byte, 1<<10), unsafe.Slice(new(byte), maxInput+1), lz77.Effort{}); n != 0 {
		t.Errorf("an input of %d bytes made a frame of %d", maxInput+1, n)
	}
}
