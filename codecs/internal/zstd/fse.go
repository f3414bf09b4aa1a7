package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/bitio"
)

const maxSymbols = 53 // number of match length codes, which are the largest alphabet

// An fseTable codes one of the three kinds of symbols of a sequence: literal
// lengths, match lengths, offsets (RFC 8878, 4.1).
type fseTable struct {
	log    uint
	states [1 << 9]uint16
	symbol [64]symbolCode // maxSymbols are used; 64 avoids bounds checks
}

// A symbolCode describes how a symbol is coded from any state.
type symbolCode struct {
	bits  uint32 // the upper 16 bits of its sum with a state are the number of bits to write
	state int32  // index of the symbol's first state, minus the number of its states
}

// build makes the table of normalised counts (RFC 8878, 4.1.1).
func (t *fseTable) build(norm []int16, log uint) {
	t.log = log
	size := 1 << log
	var at [1 << 9]uint8
	spread(&at, norm, size)
	var begin [64]int // first state of each symbol
	sum := 0
	for s, n := range norm {
		begin[s&63] = sum
		sum += states(int(n))
	}
	next := begin
	for u, s := range at[:size] {
		k := next[s&63]
		next[s&63] = k + 1
		t.states[k&511] = uint16(size + u)
	}
	for s, n := range norm {
		e := &t.symbol[s]
		switch {
		case n == 1 || n == -1:
			e.bits = uint32(log)<<16 - uint32(size)
			e.state = int32(begin[s] - 1)
		case n > 1:
			most := uint32(log) - uint32(bits.Len16(uint16(n-1))-1)
			e.bits = most<<16 - uint32(n)<<most
			e.state = int32(begin[s] - int(n))
		}
	}
}

// states returns the number of states of a normalised count, in which -1 means less than
// one.
func states(count int) int { return max(count, -count) }

// first returns the state that codes the last symbol without writing any bits.
func (t *fseTable) first(s uint8) uint32 {
	e := &t.symbol[s]
	n := (e.bits + 1<<15) >> 16
	value := n<<16 - e.bits
	return uint32(t.states[int32(value>>n)+e.state])
}

// next writes the bits that lead from the state of the symbol that follows to s.
func (t *fseTable) next(b *bitio.Writer, state uint32, s uint8) uint32 {
	e := &t.symbol[s&63]
	n := (state + e.bits) >> 16
	b.Add(low(state, uint(n)), uint(n))
	return uint32(t.states[uint32(int32(state>>(n&31))+e.state)&511])
}

// normalize scales counts to a sum of 1<<log, as in a description (RFC 8878, 4.1.1); no
// count becomes zero. total is the sum of counts. There must be at most 1<<log counts.
func normalize(norm []int16, counts []uint32, total int, log uint) {
	rest, largest := 1<<log, 0
	for s, c := range counts {
		if c == 0 {
			norm[s] = 0
			continue
		}
		n := max((int(c)<<log+total/2)/total, 1)
		norm[s] = int16(n)
		rest -= n
		if norm[s] > norm[largest] {
			largest = s
		}
	}
	// The largest count absorbs the difference, which hardly changes it. If the
	// difference is too large, all large counts share it.
	if int(norm[largest])+rest >= int(norm[largest])/2+1 {
		norm[largest] += int16(rest)
		return
	}
	for ; rest < 0; rest++ {
		for s := range norm {
			if norm[s] > norm[largest] {
				largest = s
			}
		}
		norm[largest]--
	}
}

// appendCounts writes normalised counts in the form that precedes a block's
// sequences (RFC 8878, 4.1.1).
func appendCounts(dst []byte, norm []int16, log uint) []byte {
	dst = grown(dst, 4*maxSymbols)
	w := bitio.Writer{Out: dst[:cap(dst)], At: len(dst)}
	w.Add(uint64(log-5), 4)
	remaining, threshold, n := 1<<log+1, 1<<log, log+1
	for s := 0; s < len(norm) && remaining > 1; {
		count := int(norm[s])
		s++
		most := 2*threshold - 1 - remaining
		remaining -= states(count)
		value := count + 1
		if value >= threshold {
			value += most
		}
		if value < most {
			w.Add(uint64(value), n-1)
		} else {
			w.Add(uint64(value), n)
		}
		w.Flush()
		for remaining < threshold {
			n--
			threshold >>= 1
		}
		if count != 0 {
			continue
		}
		zeros := 0
		for s < len(norm) && norm[s] == 0 {
			zeros++
			s++
		}
		for ; zeros >= 3; zeros -= 3 {
			w.Add(3, 2)
			w.Flush()
		}
		w.Add(uint64(zeros), 2)
		w.Flush()
	}
	w.Align()
	return dst[:w.At]
}
