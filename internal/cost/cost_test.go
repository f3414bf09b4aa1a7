package cost

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// A chunk of almost nothing takes the time to read or write the memory.
func TestForLeast(t *testing.T) {
	w := Work{Bytes: 1 << 20, Sequences: 8, Coded: 64, Stored: 128}
	for _, codec := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecZstd} {
		p := chunk.Default()
		p.Codec, p.Level = codec, 1
		p.Filters.IDs[5] = blosc2.FilterNone
		got := For(&w, &p)
		if got.Compress < 40<<20 || got.Expand < 28<<20 {
			t.Errorf("%v: %+v; at least 40 and 28 units per byte take the memory", codec, got)
		}
	}
}
