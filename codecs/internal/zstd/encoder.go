// Package zstd makes zstd frames of streams that are wholly in memory, and decodes
// them. It is made for blocks of shuffled planes: streams of a few dozen KiB and of
// known length, with long runs and small alphabets.
package zstd

import (
	"bytes"
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/room"
)

const (
	magic       = 0xfd2fb528
	maxBlock    = 128 << 10
	minLiterals = 64 // fewer literals do not pay for a table
	minBlock    = 16 // shorter inputs are stored raw
	maxHeader   = 16 // header of a frame, or of a block

	// If a literal costs as much, in 256ths of a bit, few matches cost more than their
	// bytes do as literals, and comparing the costs does not pay.
	mostLiteral = 5 << 8

	// The code of every offset in an input of maxInput bytes is at most maxOffsetCode.
	maxInput      = 1<<(maxOffsetCode+1) - 1 - lz77.RepeatCodes
	maxOffsetCode = 30
)

// The loops over the sequences collect bits in a word of 64 bits, of which the
// assembly can store 63: those of an incomplete byte, of three states (RFC 8878,
// 3.1.1.3.2.1: logs of at most 9, 8 and 9), and of an offset.
var _ = [64]struct{}{}[7+9+8+9+maxOffsetCode]

// These are the types of a block (RFC 8878, 3.1.1.2.2) and of its literals
// (3.1.1.3.1.1).
const (
	raw        = 0
	rle        = 1
	compressed = 2
)

// An Encoder holds tables and buffers. The zero value is ready. It is for one
// goroutine at a time.
type Encoder struct {
	finder      lz77.Finder
	huffman     huffman
	literals    []byte
	literal     int  // cost of a literal of the last block in 256ths of a bit, 0 before the first
	rough       bool // the code of literals may be made from a part of them
	plain       bool // literals are not worth a code if they are few
	smallTables bool // tables have few states, because they are made for each block
	codes       codes
	own         [3]fseTable
	writer      sequenceWriter
	optimizer   optimizer
	echoes      echoes
	state       state       // of the repeated distances, for the optimizer
	match       [1]lz77.Seq // of a block of one item
	kept        []lz77.Seq  // the result of a search while another is tried
	parts       []part
	spare       []byte // see grow
	prices      literalPrices
	threes      []uint16 // the last position of each hash of three bytes: see repeatsThree
}

// Encode writes the frame of src to dst and returns its length, or 0 if it does not fit: a
// single segment, with its content size and without a checksum. The bytes of dst after the
// frame are undefined. It is 0 too if src is longer than 2 GiB - 4, which no block of Blosc is.
func (e *Encoder) Encode(dst, src []byte, effort lz77.Effort) int {
	if len(src) > maxInput {
		return 0
	}
	prepare()
	e.finder.Reset(len(src))
	if effort.Trials {
		e.finder.SetKey(keyLength(src))
	}
	e.optimizer.reset()
	e.echoes.reset()
	e.state = newState()
	e.literal = 0
	e.rough = effort.Rough
	out := appendHeader(e.grow(dst[:0:len(dst)], maxHeader), len(src))
	for from := 0; ; {
		to := min(from+maxBlock, len(src))
		if out = e.appendBlock(out, src, from, to, len(dst), effort); out == nil || len(out) > len(dst) {
			return 0
		}
		if from = to; from == len(src) {
			break
		}
	}
	if &out[0] != &dst[0] { // it was moved
		copy(dst, out)
	}
	return len(out)
}

// grow returns dst with space for n bytes and a word more. If there is less, it moves dst to
// a buffer of the encoder: the destination of a frame may be as small as the frame.
func (e *Encoder) grow(dst []byte, n int) []byte {
	const unit = 192 << 10 // enough for most inputs
	if cap(dst)-len(dst) < n+8 {
		e.spare = room.Resize(e.spare, (len(dst)+n+8+unit-1)/unit*unit)
		dst = e.spare[:copy(e.spare, dst)]
	}
	return dst
}

// appendHeader appends the header of a frame of one segment (RFC 8878, 3.1.1.1).
func appendHeader(dst []byte, n int) []byte {
	const singleSegment = 1 << 5
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	switch {
	case n < 256:
		return append(dst, singleSegment, byte(n))
	case n < 1<<16+256:
		dst = append(dst, singleSegment|1<<6)
		return binary.LittleEndian.AppendUint16(dst, uint16(n-256))
	default:
		dst = append(dst, singleSegment|2<<6)
		return binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
}

// appendBlock appends a Block_Header (RFC 8878, 3.1.1.2).
func appendBlock(dst []byte, kind, n int, last bool) []byte {
	h := n<<3 | kind<<1
	if last {
		h |= 1
	}
	return append(dst, byte(h), byte(h>>8), byte(h>>16))
}

// appendBlock codes src[from:to]. It returns nil if the bytes must be stored, and would make
// the frame longer than limit.
func (e *Encoder) appendBlock(dst, src []byte, from, to, limit int, effort lz77.Effort) []byte {
	block, last := src[from:to], to == len(src)
	dst = e.grow(dst, maxHeader)
	if len(block) > 0 && bytes.Equal(block[1:], block[:len(block)-1]) {
		return append(appendBlock(dst, rle, len(block), last), block[0])
	}
	if distance := lz77.Period(block); distance > 0 {
		return e.appendPeriod(dst, src, from, to, distance, last)
	}
	if len(block) >= minBlock {
		repeats := e.finder.Repeats()
		whole := part{from: from, to: to}
		var ofValues bool
		whole.seqs, ofValues = e.finder.FindValues(src, from, to, effort)
		// The bytes of values that do not repeat have little in common. A Huffman code
		// for them would save hardly anything, and take ten times as long to decode.
		e.plain = ofValues && effort.ValueDepth == 0
		e.smallTables = e.plain && effort.FastDecode
		if effort.Weigh > 0 && !ofValues {
			s := newSearch(effort)
			whole.seqs = e.weigh(src, whole, effort, s)
			if half := len(block) / 2; len(whole.seqs) == 0 && flat(block[:half]) && flat(block[half:]) { // otherwise split may save space
				return e.appendRaw(dst, block, last)
			}
			e.parts = e.split(e.parts[:0], src, whole, e.bits(src, whole), s.cut)
			coded, after := e.appendParts(dst, src, e.parts, e.state, last)
			if len(coded) < len(dst)+3+len(block) {
				e.state = after
				e.finder.SetRepeats(after.repeats())
				return coded
			}
		} else {
			if !ofValues {
				if e.literal < mostLiteral {
					effort.Literal = e.literal
				}
				whole.seqs = e.findBytes(src, from, to, effort)
			}
			if coded, ok := e.appendPart(dst, src, whole, last); ok {
				if effort.Weigh > 0 {
					_, e.state = whole.follow(e.state, e.state)
				}
				return coded
			}
		}
		e.finder.SetRepeats(repeats)
	}
	if len(dst)+len(block) > limit {
		return nil
	}
	return e.appendRaw(dst, block, last)
}

// appendRaw appends a block that is stored.
func (e *Encoder) appendRaw(dst, block []byte, last bool) []byte {
	dst = e.grow(dst, maxHeader+len(block))
	return append(appendBlock(dst, raw, len(block), last), block...)
}

// appendParts codes each part as a block, or stores it if it does not shrink. before is
// the state of the repeated distances before the parts. It returns the state after them.
func (e *Encoder) appendParts(dst, src []byte, parts []part, before state, last bool) (coded []byte, after state) {
	expected, actual := before, before
	for i, p := range parts {
		before := actual
		expected, actual = p.follow(expected, actual)
		last := last && i == len(parts)-1
		var ok bool
		if dst, ok = e.appendPart(dst, src, p, last); !ok {
			dst, actual = e.appendRaw(dst, src[p.from:p.to], last), before
		}
	}
	return dst, actual
}

// follow returns the states after the sequences of a part. These were found for the
// expected state, which is not the actual one after a part that is stored, because a
// stored part sets no distances to repeat; then follow changes the codes of their
// distances.
func (p part) follow(expected, actual state) (state, state) {
	for i := range p.seqs {
		s := &p.seqs[i]
		expected.literals, actual.literals = s.Literals, s.Literals
		off := s.Off
		if expected != actual {
			s.Off = actual.off(expected.distance(off))
		}
		expected.match(off)
		actual.match(s.Off)
	}
	return expected, actual
}

// appendPart codes a part as a block, if it shrinks.
func (e *Encoder) appendPart(dst, src []byte, p part, last bool) (coded []byte, ok bool) {
	at, block := len(dst), src[p.from:p.to]
	coded = e.appendLiterals(appendBlock(dst, compressed, 0, last), block, p.seqs) // the length in the header is set below
	coded = e.appendSequences(coded, p.seqs, len(block))
	if coded == nil || len(coded)-at-3 >= len(block) {
		return dst, false
	}
	appendBlock(coded[:at], compressed, len(coded)-at-3, last)
	return coded, true
}
