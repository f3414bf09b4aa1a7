package stream_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
)

// A frame of the layout of 2019 records the age of its chunks: bits shuffled by
// that year's rule are restored, whatever they look like.
func TestLayout2019Bits(t *testing.T) {
	p := filters.Pipeline{IDs: [filters.Slots]blosc2.FilterID{5: blosc2.FilterBitShuffle}}
	for n := 4000; n < 4064; n += 4 {
		data := append(make([]byte, 1000), noise(n)...)
		check(t, "noise", compress(t, data, stream.Layout2019(), stream.TypeSize(4), stream.Filters(p)), data)
	}
}
