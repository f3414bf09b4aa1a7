package chunk

import "github.com/seed03b80dae/blosc2"

// l1 is the size of the first-level cache that C-Blosc2 assumes on every
// machine.
const l1 = 32 << 10

// blockSize chooses the size of the blocks of a chunk of n > 0 bytes exactly as
// C-Blosc2 does (docs/format/defaults.md §2), with three differences: it uses the
// true typesize even if the header cannot hold it, it rounds a size that the user set
// down to whole items (docs/format/chunk.md T1), and where only this package splits
// blocks (see splitCodec), they may be larger.
func (p *Params) blockSize(n int) int {
	t := max(p.TypeSize, 1)
	if n < t {
		return 1
	}
	b := p.BlockSize
	if b == 0 {
		b = p.autoBlockSize(n, t)
	}
	return roundDown(min(b, n, MaxBlockSize), t)
}

// NumBlocks returns the number of blocks that a chunk of n bytes has.
func (p Params) NumBlocks(n int) int {
	if n < 1 {
		return 0
	}
	return numBlocks(n, p.blockSize(n))
}

func (p *Params) autoBlockSize(n, t int) int {
	if p.Format == Beta {
		return p.betaBlockSize(n, t)
	}
	if p.Level > 0 && p.split(n, t) {
		perByte := [10]int{1: 1, 1, 1, 2, 2, 2, 4, 8, 16}[p.Level] * l1
		least := 0
		if p.Codec == blosc2.CodecLZ4HC {
			least = 4 * l1 * t // shorter streams are no longer than the codec's window
			if p.Level == 6 {
				perByte = 4 * l1
			}
		}
		b := max(min(perByte*t, 4<<20), l1)
		if p.Split == blosc2.SplitDefault && (p.Codec == blosc2.CodecLZ4HC || p.Codec == blosc2.CodecZstd && p.Level >= unsplitLevel) {
			// C-Blosc2 does not split these blocks. Larger ones than there compress better, but
			// a chunk should have blocks for several workers.
			if p.Level < 9 {
				b = min(b, max((n/t+3)/4*t, least))
			}
			b = max(b, p.wholeBlockSize(true))
		}
		return b
	}
	if n < l1 {
		return n
	}
	return p.wholeBlockSize(p.Codec == blosc2.CodecLZ4HC || p.Codec == blosc2.CodecZlib || p.Codec == blosc2.CodecZstd)
}

// wholeBlockSize returns the size of blocks that are not split. Codecs that take long to
// start get larger blocks.
func (p *Params) wholeBlockSize(slow bool) int {
	b := l1
	if slow {
		b *= 2
	}
	switch {
	case p.Level == 0:
		return b / 4
	case p.Level == 9 && slow:
		return b * 16
	}
	return [10]int{1: b / 2, b, b * 2, b * 4, b * 4, b * 8, b * 8, b * 8, b * 8}[p.Level]
}

// betaBlockSize returns the block size that C-Blosc2 2.0.0-beta.1 chose in 2019.
func (p *Params) betaBlockSize(n, t int) int {
	b := n
	if n >= l1 {
		fast := p.Codec == blosc2.CodecBloscLZ || p.Codec == blosc2.CodecSnappy ||
			p.Codec == blosc2.CodecLZ4 && !p.Filters.Has(blosc2.FilterBitShuffle)
		b = p.wholeBlockSize(!fast)
	}
	if p.Level > 0 && p.split(b, t) {
		b = [10]int{1: l1 / 2, l1, l1, l1 * 2, l1 * 2, l1 * 4, l1 * 4, l1 * 8, l1 * 8}[p.Level]
	}
	return b
}
