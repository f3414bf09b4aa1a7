package chunk

import "github.com/seed03b80dae/blosc2"

// l1 is the size of the first-level cache that C-Blosc2 assumes on every
// machine.
const l1 = 32 << 10

// blockSize chooses the size of the blocks of a chunk of n > 0 bytes, exactly
// as C-Blosc2 does (defaults.md §2), except that a size that the user gave is
// rounded down to whole items before it is written anywhere (chunk.md T1).
func (p *Params) blockSize(n int) int {
	t := p.typeSize()
	if n < t {
		return 1
	}
	b := p.BlockSize
	if b == 0 {
		b = p.autoBlockSize(n, t)
	}
	b = min(b, n, MaxBlockSize)
	if b > t {
		b -= b % t
	}
	return b
}

func (p *Params) autoBlockSize(n, t int) int {
	if p.Level > 0 && p.split(n) {
		perByte := [10]int{1: 1, 1, 1, 2, 2, 2, 4, 8, 16}[p.Level] * l1
		return max(min(perByte*t, 4<<20), l1)
	}
	if n < l1 {
		return n
	}
	b := l1
	// Codecs that are slow to start get larger blocks.
	slow := p.Codec == blosc2.CodecLZ4HC || p.Codec == blosc2.CodecZlib || p.Codec == blosc2.CodecZstd
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
