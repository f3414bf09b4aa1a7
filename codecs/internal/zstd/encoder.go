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
	minLiterals = 64 // fewer do not pay for a table
	minBlock    = 16 // less is stored raw

	// Longer inputs could have offsets whose code is above maxOffsetCode.
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
	plain       bool // not worth a code if they are few
	smallTables bool // small, because tables are made for each block
	codes       codes
	own         [3]fseTable
	writer      sequenceWriter
	optimizer   optimizer
	parts       []part
	out         []byte
}

// Encode returns the frame of src, valid until the next call: a single segment,
// with its content size and without a checksum. It is never much longer than src.
// It is nil if src is longer than 2 GiB - 4, which no block of Blosc is.
func (e *Encoder) Encode(src []byte, effort lz77.Effort) []byte {
	if len(src) > maxInput {
		return nil
	}
	prepare()
	e.finder.Reset(len(src))
	e.optimizer.reset()
	// Make room for everything, even a block that does not shrink, so that the
	// buffer grows only once.
	e.out = room.Resize(e.out, len(src)+3*min(len(src), maxBlock)+1024)
	out := appendHeader(e.out[:0], len(src))
	for from := 0; ; {
		to := min(from+maxBlock, len(src))
		out = e.appendBlock(out, src, from, to, effort)
		from = to
		if from == len(src) {
			break
		}
	}
	e.out = out
	return out
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

func (e *Encoder) appendBlock(dst, src []byte, from, to int, effort lz77.Effort) []byte {
	block, last := src[from:to], to == len(src)
	if len(block) > 0 && bytes.Equal(block[1:], block[:len(block)-1]) {
		return append(appendBlock(dst, rle, len(block), last), block[0])
	}
	if len(block) >= minBlock {
		repeats := e.finder.Repeats()
		first := effort
		if effort.Weigh > 0 {
			first.Depth = firstDepth
		}
		seqs := e.finder.Find(src, from, to, first)
		whole := part{seqs, from, to}
		// The bytes of values that do not repeat have little in common. A code that
		// hardly saves anything would take ten times as long to decode.
		e.plain = e.finder.FoundValues() && effort.ValueDepth == 0
		e.smallTables = e.plain && effort.FastDecode
		if e.weighs(block, seqs, effort) && !e.finder.FoundValues() {
			whole.seqs = e.weigh(src, whole, effort, repeats)
			e.parts = e.split(e.parts[:0], src, whole)
			if coded, ok := e.appendParts(dst, src, e.parts, last); ok {
				return coded
			}
		}
		if coded, ok := e.appendPart(dst, src, whole, last); ok {
			return coded
		}
		e.finder.SetRepeats(repeats)
	}
	dst = appendBlock(dst, raw, len(block), last)
	return append(dst, block...)
}

// firstDepth is the depth of the first search if its sequences only begin a weighing:
// better ones would hardly change the prices that are learnt from them.
const firstDepth = 4

// weighs reports whether weighing may improve the sequences of a block. The thorough way
// may find some even if there were none, such as matches of three bytes.
func (e *Encoder) weighs(block []byte, seqs []lz77.Seq, effort lz77.Effort) bool {
	return effort.Weigh > 0 && len(seqs) > 0 || effort.Weigh > 1 && !flat(block)
}

// weigh improves the sequences of a part. repeats are the repeated distances before
// it. Prices learnt from sequences lead to similar sequences, so the thorough way begins
// with none if literals alone seem to cost less; also if they cost so much more that
// nearly all of the part is matches, because the distances of a first search are then
// seldom the frequent ones. If its last round still saved much, it adds one.
func (e *Encoder) weigh(src []byte, p part, effort lz77.Effort, repeats [2]int) []lz77.Seq {
	thorough, most := effort.Weigh > 1, effort.Weigh
	e.optimizer.begin(src, p.from, p.to, effort.Depth, thorough)
	defer e.optimizer.end()
	bits := func(seqs []lz77.Seq) uint64 { return e.bits(src, part{seqs, p.from, p.to}) }
	var after [2]int
	var last, now uint64
	seqs := p.seqs
	if thorough {
		most++
		now = bits(nil)
		if found := bits(seqs); now <= found || now > 4*found {
			seqs = nil
		}
	}
	for n := 0; n < effort.Weigh || n < most && now < last-last/worthRound; n++ {
		after = repeats
		if seqs = e.optimizer.find(&after, seqs); thorough {
			last, now = now, bits(seqs)
		}
	}
	e.finder.SetRepeats(after)
	return seqs
}

// worthRound is the part that a round must have saved for another one.
const worthRound = 40

// appendParts codes each part as a block. All must shrink: a block that is stored
// raw would not set the distances that the next one repeats.
func (e *Encoder) appendParts(dst, src []byte, parts []part, last bool) (coded []byte, ok bool) {
	if len(parts) < 2 {
		return dst, false
	}
	for i, p := range parts {
		if dst, ok = e.appendPart(dst, src, p, last && i == len(parts)-1); !ok {
			return dst, false
		}
	}
	return dst, true
}

// appendPart codes a part as a block, if it shrinks.
func (e *Encoder) appendPart(dst, src []byte, p part, last bool) (coded []byte, ok bool) {
	at, block := len(dst), src[p.from:p.to]
	coded = e.appendLiterals(appendBlock(dst, compressed, 0, last), block, p.seqs) // the length follows
	coded = e.appendSequences(coded, p.seqs, len(block))
	if coded == nil || len(coded)-at-3 >= len(block) {
		return dst, false
	}
	appendBlock(coded[:at], compressed, len(coded)-at-3, last)
	return coded, true
}
