package zstd

import (
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// After the first block of an input, whose literals are cheap, no search takes the many
// matches that cost more than these.
func TestCostlyMatches(t *testing.T) {
	data, _ := random(1, 4*maxBlock, 8)
	_, literals := random(1, maxBlock, 8)
	for _, effort := range []lz77.Effort{
		{MinLength: 6, FastDecode: true}, {MinLength: 5}, {Depth: 2, Rows: 8}, {Depth: 8, Rows: 16, Lazy: 2}, {Rows: 16, Lazy: 2},
	} {
		var e Encoder
		first := len(e.frame(data[:maxBlock], effort))
		rest := (len(e.frame(data, effort)) - first) / 3
		if most := literals + literals/20; first <= most || rest > most {
			t.Errorf("%+v: the first block takes %d bytes and the others %d each, literals %d", effort, first, rest, literals)
		}
	}
}
