package stream

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// Small chunks are worth a search. In a few hundred bytes lz4 finds hardly
// anything, and which filters help depends more on the data than in a megabyte.
// Each chunk records its parameters, so these may differ from chunk to chunk, and
// every reader of the format reads them.

// In TestWire, at 100,000 messages a second, chunks of 32 KiB became 1.2 % larger with
// samples of 1 KiB, and 1.2 % smaller with samples of 8 KiB, on which trials take four
// times as long (25 November 2026). searchMost bounds the time of a search: see Compact.
const (
	searchLeast  = 32        // shorter chunks are not compressed: see minCompressed in package chunk
	searchMost   = 128 << 10 // largest chunk in bytes that is searched
	searchSample = 2 << 10   // bytes tried of a longer chunk
)

// searched holds the filters that are tried with zlib, which has shorter code
// tables than the other codecs. For the real data of the project's measurements, in
// batches of 64 bytes to 32 KiB, these four come within 1 to 2 % of the best result
// of every codec with every filter. Level 9 costs little more than 6 in planes of
// bytes, and several times as much elsewhere.
var searched = [...]struct {
	filters [2]blosc2.FilterID
	level   int
}{
	{[2]blosc2.FilterID{blosc2.FilterShuffle, blosc2.FilterByteDelta}, 9},
	{[2]blosc2.FilterID{blosc2.FilterDelta, blosc2.FilterBitShuffle}, 9},
	{[2]blosc2.FilterID{}, 6},
	{[2]blosc2.FilterID{blosc2.FilterNone, blosc2.FilterShuffle}, 9},
}

// searchParams returns the parameters of a trial for such items.
func searchParams(way, typeSize int) chunk.Params {
	ids := searched[way].filters
	p := chunk.Params{Codec: blosc2.CodecZlib, Level: searched[way].level, TypeSize: typeSize, Split: blosc2.SplitNever, PlainZeros: true}
	for i, id := range ids {
		slot := filters.Slots - len(ids) + i
		p.Filters.IDs[slot] = id
		if id == blosc2.FilterByteDelta && typeSize <= chunk.MaxTypeSize {
			p.Filters.Metas[slot] = uint8(typeSize)
		}
	}
	return p
}

// shortest returns the shortest encoding of src: out, made with the given
// parameters, or one of the search, in the same memory.
func (b *bench) shortest(out, src []byte) ([]byte, error) {
	if len(src) < searchLeast || len(src) > searchMost {
		return out, nil
	}
	typeSize := max(b.given.Params().TypeSize, 1)
	sample := src
	if len(src) > searchSample {
		sample = src[:max(searchSample-searchSample%typeSize, min(typeSize, len(src)))]
	}
	trial := borrow(chunk.Bound(len(src)))
	defer func() { giveBack(trial) }()
	best, least := -1, 0
	for i := range searched {
		p := searchParams(i, typeSize)
		if p.Validate() != nil {
			continue // the filter does not support that typesize
		}
		var err error
		if trial, err = b.try(trial, sample, p); err != nil {
			return out, err
		}
		switch {
		case len(sample) < len(src):
			if best < 0 || len(trial) < least {
				best, least = i, len(trial)
			}
		case len(trial) < len(out):
			out = append(out[:0], trial...)
		}
	}
	if best < 0 {
		return out, nil
	}
	trial, err := b.try(trial, src, searchParams(best, typeSize))
	if err == nil && len(trial) < len(out) {
		out = append(out[:0], trial...)
	}
	return out, err
}

// try encodes src into dst.
func (b *bench) try(dst, src []byte, p chunk.Params) ([]byte, error) {
	if err := b.search.Reset(p); err != nil {
		return dst, err
	}
	return b.search.Encode(dst[:0], src)
}
