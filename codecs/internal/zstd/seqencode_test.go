package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// The loop of this machine writes the bytes of the generic one, for sequences
// of all lengths and offsets that there are.
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
				seqs[i].Literals = 5 // one symbol, which takes no bits
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
