package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// Most numbers have bytes that are noise, in which levels 7 and 8 do not look for the cheapest
// sequences. A block is noise if a survey finds nothing that pays, and no words of the block
// repeat earlier ones. The survey alone does not show that, because in noise its steps grow and
// it enters few positions.

// noise reports whether a part is noise. The numbers are the bits that it takes with the
// sequences of a survey and without. Literals must take more than half of their space:
// otherwise the search finds what a survey does not.
func (e *Encoder) noise(src []byte, surveyed part, with, without uint64) bool {
	n := surveyed.to - surveyed.from
	if n < leastNoise || pays(with, without) || without <= uint64(n)*4 {
		return false
	}
	covered := 0
	for _, s := range surveyed.seqs {
		covered += int(s.Length)
	}
	return !e.echoes.repeat(src, surveyed.from, surveyed.to, covered)
}

const (
	leastNoise = 16 << 10 // fewer bytes are always searched
	dense      = 30       // see even
)

// echoes looks for words of an input that repeat. It enters one of each enterEvery words, and
// looks for one of each lookEvery, which are primes: whatever the distances and alignments of
// the words that repeat, it finds one of enterEvery.
type echoes struct {
	last        []uint32 // the last place of each hash, plus one
	shift       uint
	look, enter int // the next places, -1 at the beginning of an input
}

const (
	echoSize   = 6
	enterEvery = 13
	lookEvery  = 17
	echoShare  = 64 // a block repeats if more than 1/echoShare of its words do
)

// reset begins a new input.
func (t *echoes) reset() { t.look = -1 }

// repeat reports whether words of src[from:to] repeat earlier ones of the input, besides those
// in matches, which cover known bytes. It looks at a block only once, and at the blocks of an
// input in their order.
func (t *echoes) repeat(src []byte, from, to, known int) bool {
	if t.look < 0 {
		size := max(bits.Len(uint(len(src)/enterEvery)), 8)
		t.last = room.Zeros(t.last, 1<<size)
		t.shift = uint(64 - size)
		t.look, t.enter = 0, 0
	}
	t.count(src, from-8)
	words, again := t.count(src, to-8)
	return (again*enterEvery-words*known/(to-from))*echoShare > words
}

// count enters the words before end, and returns how many it looked for, and how many of
// these it found. Those of runs of an item of one or two bytes do not count, because most of
// them are found.
func (t *echoes) count(src []byte, end int) (words, again int) {
	last, shift, factor := t.last, t.shift&63, lz77.KeyOf(echoSize)
	for ; t.look < end; t.look += lookEvery {
		words++
		x := mem.Load64(src, t.look)
		ref := int(last[x*factor>>shift]) - 1
		if ref >= 0 && (mem.Load64(src, ref)^x)<<(64-8*echoSize) == 0 && uint32(x^x>>16) != 0 {
			again++
		}
		for ; t.enter <= t.look; t.enter += enterEvery {
			last[mem.Load64(src, t.enter)*factor>>shift] = uint32(t.enter + 1)
		}
	}
	return words, again
}
