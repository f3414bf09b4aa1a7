package chunk

import "github.com/seed03b80dae/blosc2"

// Blocks are split only if the typesize is at most maxSplit and each stream
// gets at least minStream bytes.
const (
	maxSplit        = 16
	minStream       = 32
	minStreamBlosc1 = 128 // for Blosc1, and for C-Blosc2 before 2.3.1
)

// split reports whether full blocks of size bytes, in items of t bytes, are cut into a
// stream for each byte of an item (docs/format/chunk.md §5.2). For the old formats it
// follows Blosc1 1.14 and C-Blosc2 2.0.0-beta.1.
func (p *Params) split(size, t int) bool {
	possible := p.Format != Blosc1 || splitInBlosc1(size, t)
	switch p.Split {
	case blosc2.SplitAlways:
		return possible
	case blosc2.SplitNever:
		return false
	}
	switch p.Format {
	case Blosc1:
		return possible && p.Codec != blosc2.CodecZstd
	case Beta:
		fast := p.Codec == blosc2.CodecBloscLZ || p.Codec == blosc2.CodecLZ4 || p.Codec == blosc2.CodecSnappy
		return fast && t <= maxSplit && size/t >= minStreamBlosc1
	}
	return p.splitCodec(t) && p.Filters.Has(blosc2.FilterShuffle) && t <= maxSplit && size/t >= minStream
}

// splitInBlosc1 reports whether Blosc1 may have split blocks of size bytes. Blosc1's
// decoder does not rely on the chunk alone, because before 1.11 no bit recorded the split
// (docs/format/chunk.md §5.4).
func splitInBlosc1(size, t int) bool { return t <= maxSplit && size/t >= minStreamBlosc1 }

// splitCodec reports whether the codec compresses single byte planes better than whole
// blocks. Zstd and lz4hc do at every level, but C-Blosc2 splits only at low levels of
// zstd. Items of one byte have only one plane, so their blocks are not split; that makes
// them larger.
func (p *Params) splitCodec(t int) bool {
	switch p.Codec {
	case blosc2.CodecBloscLZ, blosc2.CodecLZ4:
		return true
	case blosc2.CodecZstd:
		return p.Level <= 5 || p.Split == blosc2.SplitDefault && t > 1
	case blosc2.CodecLZ4HC:
		return p.Split == blosc2.SplitDefault && t > 1
	}
	return false
}
