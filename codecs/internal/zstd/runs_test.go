package zstd

import (
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// Where zeros surround bytes that repeat a few at a time, as in images, a search for the
// cheapest sequences finds the repetitions, as a lazy search does.
func TestRunsBesideRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 11))
	words := noiseOf(r, 64*5)
	block := make([]byte, maxBlock)
	for at := maxBlock * 3 / 4; at+8 < maxBlock; at += 8 {
		copy(block[at:], noiseOf(r, 3))
		copy(block[at+3:], words[r.IntN(64)*5:][:5])
	}
	size := func(effort lz77.Effort) int {
		var e Encoder
		return e.Encode(make([]byte, 2*maxBlock), block, effort)
	}
	lazy := size(lz77.Effort{Rows: 32, Far: true, Lazy: 2, Trials: true})
	cheapest := size(lz77.Effort{Rows: 0, Far: true, Lazy: 2, Trials: true, Weigh: 1, Depth: 8, Nice: 64})
	if cheapest == 0 || cheapest > lazy {
		t.Errorf("%d bytes, with a lazy search %d", cheapest, lazy)
	}
	var e Encoder
	if seqs := e.runs(block); len(seqs) != 1 || seqs[0] != (lz77.Seq{Literals: 1, Length: maxBlock*3/4 - 1, Off: 1}) {
		t.Errorf("runs %v", seqs)
	}
	if seqs := e.runs(block[maxBlock*3/4-maxBlock/16:]); seqs != nil {
		t.Errorf("runs %v that cover little", seqs)
	}
}
