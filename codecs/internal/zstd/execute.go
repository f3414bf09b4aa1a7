package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// A sequenceState is the state in which the sequences of a block are executed. The
// assembly depends on its layout.
type sequenceState struct {
	op     int // position in the destination
	lit    int // position in the literals
	litEnd int // number of literals
	start  int // index in the block where the bits begin
	at     int // index of the word with the next bits, which are read backwards, from the end to start
	used   int // number of bits of the word that have been read, the highest first
	count  int // remaining sequences
	states [3]entry
	rep    [3]uint64 // repeated distances

	// If match is not 0, these hold a sequence that was decoded but not executed yet.
	literals, match int
	distance        uint64

	tables [3]decodeTable
}

// These are the indices of states and tables.
const (
	literalLength = iota
	offset
	matchLength
)

// fast executes sequences as long as no bounds need to be checked. It stops before the
// first sequence that requires checks, which it may have decoded but not executed. It may
// read 24 bytes before the bits. It is nil on machines without assembly.
var fast func(s *sequenceState, dst, literals, src []byte)

const fastMargin = 24

// Fast reports whether Decode is faster than the decoder of klauspost/compress.
func Fast() bool { return fast != nil }

// run decodes and executes the sequences of a block, and copies the literals after the
// last one. The bits of the sequences end with src.
func (s *sequenceState) run(dst, literals, src []byte) error {
	// A word of bits may begin before start, in the headers, so there must be 8 bytes.
	if s.start < 8 || len(src) <= s.start || src[len(src)-1] == 0 {
		return ErrCorrupt
	}
	s.match = 0
	// The highest set bit marks the end of the bits, which are read backwards. The
	// first states are those of literal length, offset and match length (RFC 8878,
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
	// All bits must be used (3.1.1.3.2.1.2), and the remaining literals end the
	// block (3.1.1.4).
	rest := literals[s.lit:s.litEnd]
	if s.left() != 0 || len(rest) > len(dst)-s.op {
		return ErrCorrupt
	}
	s.op += bulk.Copy(dst[s.op:], rest)
	return nil
}

// left returns the number of unread bits, which is negative if too many were read.
func (s *sequenceState) left() int { return (s.at+8-s.start)*8 - s.used }

// fill moves to the next word, so that 57 more bits can be read, and reports whether all
// bits read so far were in the input.
func (s *sequenceState) fill(src []byte) bool {
	s.at -= s.used >> 3
	s.used &= 7
	return s.left() >= 0
}

// read returns the next n bits; at most 57 may be read after a fill.
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

// next reads the next state of a kind of symbol.
func (s *sequenceState) next(src []byte, kind int) {
	e := s.states[kind]
	s.states[kind] = s.tables[kind].entries[(uint64(e.next())+s.read(src, e.bits()))&511]
}

// carryOut copies the literals and the match of the decoded sequence (RFC 8878,
// 3.1.1.4).
func (s *sequenceState) carryOut(dst, literals []byte) bool {
	n, match := s.literals, s.match
	if n > s.litEnd-s.lit || n+match > len(dst)-s.op || s.distance == 0 || s.distance > uint64(s.op+n) {
		return false
	}
	bulk.Copy(dst[s.op:s.op+n], literals[s.lit:])
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

// repeat converts an Offset_Value to a distance and updates the repeated distances (RFC
// 8878, 3.1.1.5).
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
