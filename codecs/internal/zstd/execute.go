package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// sequenceState is what the sequences of a block go through. The assembly
// knows its layout.
type sequenceState struct {
	op     int // place in the destination
	lit    int // place in the literals
	litEnd int // their number
	start  int // of the bits in the block
	at     int // of the word whose bits are next, read from the end to start
	used   int // of its bits, the highest first
	count  int // sequences to come
	states [3]entry
	rep    [3]uint64 // distances

	// A sequence that was decoded and is still to be carried out, unless match
	// is 0.
	literals, match int
	distance        uint64

	tables [3]decodeTable
}

// The kinds in states and tables.
const (
	literalLength = iota
	offset
	matchLength
)

// fast carries out sequences as long as that needs no care. The first that does
// it leaves, or decodes it and leaves it to be carried out. It may look at 24
// bytes before the bits.
// Machines for which it is not written have nil.
var fast func(s *sequenceState, dst, literals, src []byte)

const fastMargin = 24

// Fast reports whether Decode is faster than the library's decoder.
func Fast() bool { return fast != nil }

// run decodes the sequences of a block whose bits end with src and carries them
// out, the literals after the last one too.
func (s *sequenceState) run(dst, literals, src []byte) error {
	// Words are read from before the bits, too, where the headers are.
	if s.start < 8 || len(src) <= s.start || src[len(src)-1] == 0 {
		return ErrCorrupt
	}
	s.match = 0
	// The last bit that is set ends the bits, which are read backwards; the first
	// states are those of literal length, offset and match length (RFC 8878,
	// 3.1.1.3.2.1.2).
	s.at = len(src) - 8
	s.used = bits.LeadingZeros8(src[len(src)-1]) + 1
	s.fill(src)
	for i := range s.states {
		t := &s.tables[i]
		s.states[i] = t.entries[s.read(src, uint8(t.log))&511]
	}
	for s.count > 0 {
		if fast != nil && s.start >= fastMargin {
			fast(s, dst, literals, src)
		}
		if s.match == 0 && !s.step(src) || !s.carryOut(dst, literals) {
			return ErrCorrupt
		}
	}
	// All bits are used (3.1.1.3.2.1.2), and the literals that are left end the
	// block (3.1.1.4).
	rest := literals[s.lit:s.litEnd]
	if s.left() != 0 || len(rest) > len(dst)-s.op {
		return ErrCorrupt
	}
	s.op += copy(dst[s.op:], rest)
	return nil
}

// left is the number of bits that have not been read, negative if too many
// were.
func (s *sequenceState) left() int { return (s.at+8-s.start)*8 - s.used }

// fill makes room for 57 bits to be read, and reports whether all that were
// read before were there.
func (s *sequenceState) fill(src []byte) bool {
	s.at -= s.used >> 3
	s.used &= 7
	return s.left() >= 0
}

// read returns the next n bits, of at most 57 since fill.
func (s *sequenceState) read(src []byte, n uint8) uint64 {
	v := mem.Load64(src, s.at) << (s.used & 63) >> 1 >> ((63 - n) & 63)
	s.used += int(n)
	return v
}

// step decodes one sequence (RFC 8878, 3.1.1.3.2.1.2): the extra bits of offset,
// match length and literal length, then the bits that lead to the next states of
// literal length, match length and offset.
func (s *sequenceState) step(src []byte) bool {
	if !s.fill(src) {
		return false
	}
	ll, of, ml := s.states[literalLength], s.states[offset], s.states[matchLength]
	code := uint64(1)<<of.extra() + s.read(src, of.extra())
	if !s.fill(src) {
		return false
	}
	s.match = int(uint64(ml.base()) + s.read(src, ml.extra()))
	s.literals = int(uint64(ll.base()) + s.read(src, ll.extra()))
	if s.count--; s.count > 0 {
		if !s.fill(src) {
			return false
		}
		s.next(src, literalLength)
		s.next(src, matchLength)
		s.next(src, offset)
	}
	s.distance = s.repeat(code, s.literals == 0)
	return true
}

// next reads the next state of a kind.
func (s *sequenceState) next(src []byte, kind int) {
	e := s.states[kind]
	s.states[kind] = s.tables[kind].entries[(uint64(e.next())+s.read(src, e.bits()))&511]
}

// carryOut copies literals and match of the sequence that was decoded (RFC 8878,
// 3.1.1.4).
func (s *sequenceState) carryOut(dst, literals []byte) bool {
	n, match := s.literals, s.match
	if n > s.litEnd-s.lit || n+match > len(dst)-s.op || s.distance == 0 || s.distance > uint64(s.op+n) {
		return false
	}
	copy(dst[s.op:s.op+n], literals[s.lit:])
	s.lit += n
	s.op += n
	if match > 256 {
		mem.Repeat(dst, s.op, int(s.distance), match)
	} else {
		mem.CopyMatch(dst, s.op, int(s.distance), match)
	}
	s.op += match
	s.match = 0
	return true
}

// repeat turns an Offset_Value into a distance and remembers it (RFC 8878,
// 3.1.1.5).
func (s *sequenceState) repeat(code uint64, noLiterals bool) uint64 {
	r := s.rep
	if code > 3 {
		s.rep = [3]uint64{code - 3, r[0], r[1]}
		return code - 3
	}
	if noLiterals {
		code++
	}
	switch code {
	case 1:
	case 2:
		s.rep = [3]uint64{r[1], r[0], r[2]}
	case 3:
		s.rep = [3]uint64{r[2], r[0], r[1]}
	default:
		s.rep = [3]uint64{r[0] - 1, r[0], r[1]}
	}
	return s.rep[0]
}
