package lizard

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

const (
	minMatch  = 4
	minOffset = 8  // C copies 8 bytes at a time, so nearer matches would be decoded wrongly
	maxHash   = 15 // see docs/codecs.md, section 6

	lz4Window = 1<<16 - 1
	lizWindow = 1<<22 - 1 // the window of the levels that Blosc used
)

// A finder finds earlier occurrences of the bytes at a position: the last position with
// the same first few bytes or, if more than one candidate is tried, the positions of its
// chain.
type finder struct {
	src    []byte
	chain  lz77.Chain[uint32]
	tries  int
	window int
	far    int // from this offset on, a match must have lizMinLongMatch bytes
}

// reset prepares for a new src. level determines the effort and the window.
func (f *finder) reset(src []byte, level int) {
	f.src, f.tries = src, 1<<(level%10)
	// Four bytes are hashed, or five if there is only one candidate and no
	// chain.
	const prime = 0x9E3779B97F4A7C15
	factor, links := uint64(prime<<32&(1<<64-1)), len(src)+1
	if f.tries == 1 {
		factor, links = prime<<24&(1<<64-1), 1
	}
	hashBits := min(max(bits.Len(uint(len(src)))-1, 8), maxHash) // a small table is quickly cleared
	f.chain.Reset(len(src), links, factor, uint(hashBits))
	f.window, f.far = lizWindow, 1<<16
	if lz4Family(level) {
		f.window = lz4Window
	}
}

// insert enters the positions up to minOffset before end. Of a run of equal bytes it
// enters only the beginning: later positions would match less of another run, and hide
// the position that matches most.
func (f *finder) insert(end int) {
	for c := &f.chain; c.Next <= end-minOffset; c.Next++ {
		if c.Next > 0 {
			if x := mem.Load64(f.src, c.Next-1); uint32(x) == uint32(x>>8) {
				continue
			}
		}
		c.Enter(mem.Load64(f.src, c.Next), c.Next)
	}
}

// find returns the longest match at a position, which must be at least minTail
// bytes before the end of the input. The match ends before end; n is 0 if there is
// none.
func (f *finder) find(at, end int) (offset, n int) {
	f.insert(at)
	place := f.chain.Last(mem.Load64(f.src, at))
	before, mask := f.chain.Before()
	for range f.tries {
		from := int(place) - 1
		if from < 0 || at-from > f.window {
			break
		}
		if k := lz77.CommonPrefix(f.src, at, from, end); k > n && k >= minMatch && (at-from < f.far || k >= lizMinLongMatch) {
			offset, n = at-from, k
		}
		place = before[int(place)&mask]
	}
	return offset, n
}
