// Package zstdenc makes zstd frames of streams that are wholly in memory. It
// looks for matches as far as C's levels of the middle do, where the library
// that is used otherwise stops earlier.
package zstd

import (
	"bytes"
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

const (
	magic       = 0xfd2fb528
	maxBlock    = 128 << 10
	minLiterals = 64 // fewer are not worth a table
	minBlock    = 16 // less is stored raw
)

// The types of a block and of its literals.
const (
	raw        = 0
	rle        = 1
	compressed = 2
)

// An Encoder holds tables and buffers. The zero value is ready. It belongs to
// one goroutine at a time.
type Encoder struct {
	finder   lz77.Finder
	huffman  huffman
	literals []byte
	codes    codes
	own      [3]fseTable
	out      []byte
}

// Encode gives the frame of src, good until the next call: one segment, with
// its content size and without checksum. It is never much longer than src.
func (e *Encoder) Encode(src []byte, effort lz77.Effort) []byte {
	e.finder.Reset(len(src))
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
	at := len(dst)
	if len(block) >= minBlock {
		dst = appendBlock(dst, compressed, 0, last) // the length follows
		repeats := e.finder.Repeats()
		seqs := e.finder.Find(src, from, to, effort)
		dst = e.appendLiterals(dst, block, seqs)
		if dst = e.appendSequences(dst, seqs); dst != nil && len(dst)-at-3 < len(block) {
			appendBlock(dst[:at], compressed, len(dst)-at-3, last)
			return dst
		}
		e.finder.SetRepeats(repeats)
	}
	dst = appendBlock(dst[:at], raw, len(block), last)
	return append(dst, block...)
}

// appendSequences codes the sequences; nil means that it cannot be done.
func (e *Encoder) appendSequences(dst []byte, seqs []lz77.Seq) []byte {
	switch n := len(seqs); {
	case n == 0:
		return append(dst, 0)
	case n < 128:
		dst = append(dst, byte(n))
	case n < 0x7f00:
		dst = append(dst, byte(n>>8)+128, byte(n))
	default:
		dst = append(dst, 255, byte(n-0x7f00), byte((n-0x7f00)>>8))
	}
	c := &e.codes
	c.set(seqs)
	modes := len(dst)
	dst = append(dst, 0)
	dst, lt, lm := literalLengths.choose(dst, &e.own[0], c.literal)
	dst, ot, om := offsets.choose(dst, &e.own[1], c.offset)
	dst, mt, mm := matchLengths.choose(dst, &e.own[2], c.match)
	if lt == nil && lm != modeRLE || ot == nil && om != modeRLE || mt == nil && mm != modeRLE {
		return nil
	}
	dst[modes] = lm<<6 | om<<4 | mm<<2

	// Backwards, so that the decoder goes forwards.
	w := bitWriter{out: dst}
	w.reserve(16 * len(seqs))
	i := len(seqs) - 1
	var ls, os, ms uint32
	if lt != nil {
		ls = lt.first(c.literal[i])
	}
	if ot != nil {
		os = ot.first(c.offset[i])
	}
	if mt != nil {
		ms = mt.first(c.match[i])
	}
	for {
		l, o, m := c.literal[i], c.offset[i], c.match[i]
		w.addLow(uint64(seqs[i].Literals-literalLengths.values[l].base), uint(literalBits[l]))
		w.addLow(uint64(seqs[i].Length-matchLengths.values[m].base), uint(matchBits[m]))
		w.flush()
		w.addLow(uint64(seqs[i].Off), uint(o))
		w.flush()
		if i == 0 {
			break
		}
		i--
		if ot != nil {
			os = ot.put(&w, os, c.offset[i])
		}
		if mt != nil {
			ms = mt.put(&w, ms, c.match[i])
		}
		if lt != nil {
			ls = lt.put(&w, ls, c.literal[i])
		}
	}
	if mt != nil {
		w.addLow(uint64(ms), mt.log)
	}
	if ot != nil {
		w.addLow(uint64(os), ot.log)
	}
	if lt != nil {
		w.addLow(uint64(ls), lt.log)
	}
	w.add(1, 1)
	return w.pad()
}
