package zstd

import (
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// The search for the cheapest sequences is made for data in which it pays, also if they
// follow others or a long match covers the end of the block, but not for those.
func TestPromises(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 30))
	copies := copiesOf(r, noiseOf(r, 64<<10), (dullBlocks+2)*maxBlock)
	pairs := pairsOf(r, (dullBlocks+2)*maxBlock)
	ended := append(pairs[:maxBlock-promiseSize-200:maxBlock-promiseSize-200], make([]byte, promiseSize+200)...)
	lazy := lz77.Effort{Rows: 32, Far: true, Lazy: 2}
	weighed := lz77.Effort{Depth: 8, Nice: 64, Weigh: 1, Survey: true}
	effort := lz77.Effort{Rows: 32, Far: true, Lazy: 2, Depth: 8, Nice: 64, Weigh: 1, Saving: 32, Survey: true}
	var e Encoder
	for _, c := range []struct {
		name     string
		data     []byte
		searches bool
	}{{"copies", copies, false}, {"pairs", pairs, true}, {"copies, then pairs", append(copies[:len(copies):len(copies)], pairs...), true}, {"pairs, then a run", ended, true}} {
		n := len(e.frame(c.data, effort))
		if searches := e.optimizer.begun && e.optimizer.dull == 0; searches != c.searches {
			t.Errorf("%s: search at the end: %t, want %t", c.name, searches, c.searches)
		}
		least, most := len(e.frame(c.data, weighed)), len(e.frame(c.data, lazy))
		if n > (least+most)/2 {
			t.Errorf("%s: %d bytes; always searching takes %d, a lazy search %d", c.name, n, least, most)
		}
	}
}
