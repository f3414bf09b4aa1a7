package zstd

import (
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// Parts of planes are searched for the cheapest sequences if that saves much in their heads,
// and lazily otherwise. Noise at the beginning of a part does not show what follows.
func TestPlaneTrials(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 30))
	copies := copiesOf(r, noiseOf(r, 4<<10), 2*maxBlock)
	pairs := pairsOf(r, 2*maxBlock)
	noise := noiseOf(r, maxBlock/4)
	effort := lz77.Effort{Depth: 8, Nice: 64, Weigh: 1, Saving: 32}
	always := lz77.Effort{Depth: 8, Nice: 64, Weigh: 1}
	var e Encoder
	for _, c := range []struct {
		name     string
		data     []byte
		searches bool // also in the last part
	}{
		{"copies", copies[:2*maxBlock], false}, {"pairs", pairs[:2*maxBlock], true},
		{"copies, then pairs", append(copies[:maxBlock:maxBlock], pairs[:maxBlock]...), true},
		{"pairs, then copies", append(pairs[:maxBlock:maxBlock], copies[:maxBlock]...), false},
		{"noise, then pairs", append(noise[:len(noise):len(noise)], pairs[:maxBlock-len(noise)]...), true},
	} {
		least, most := len(e.frame(c.data, always)), len(e.frame(c.data, lazy))
		n := len(e.frame(c.data, effort))
		if searches := e.optimizer.begun && !e.optimizer.omitted; searches != c.searches {
			t.Errorf("%s: search at the end: %t, want %t", c.name, searches, c.searches)
		}
		if limit := least + (max(most, least)-least)/8; n > limit && c.searches || n > max(least, most)+64 {
			t.Errorf("%s: %d bytes; always searching takes %d, a lazy search %d", c.name, n, least, most)
		}
	}
}
