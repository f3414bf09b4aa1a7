package stream_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
)

// A frame in the layout of 2019 shows how old its chunks are, so bits that were shuffled
// by the rule of that year are restored correctly for any data.
func TestLayout2019Bits(t *testing.T) {
	p := filters.Pipeline{IDs: [filters.Slots]blosc2.FilterID{5: blosc2.FilterBitShuffle}}
	for n := 4000; n < 4064; n += 4 {
		data := append(make([]byte, 1000), noise(n)...)
		check(t, "noise", compress(t, data, stream.Layout2019(), stream.TypeSize(4), stream.Filters(p)), data)
	}
}
