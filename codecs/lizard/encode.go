package lizard

import (
	"github.com/klauspost/compress/huff0"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// minTail is the number of literals at the end of a coded sub-block. The genuine decoder
// copies 16 bytes at a time, and rejects runs and matches that end less than 16 bytes
// before the end of its output or of the literals stream.
const minTail = 16

// An Encoder encodes blocks that every genuine Lizard decoder reads. It keeps
// tables and buffers between calls (128 KiB, 6 times a sub-block, and for the
// levels that try several candidates 4 bytes for each byte of the input), so it is
// for one goroutine at a time. The zero value is ready for use.
type Encoder struct {
	finder finder
	out    streams
	last   int // offset of the last match of the sub-block, LIZv1 only
	huff   huff0.Scratch
	buf    []byte // the sub-block
}

// Encode encodes src into dst and returns the number of bytes written, or 0 if the
// block does not fit into len(dst). Levels are 10 to 49; others are treated as the
// nearest of these. The last digit determines how many candidates are tried for
// each match, 1 to 512. The two slices must not overlap.
func (e *Encoder) Encode(dst, src []byte, level int) int {
	level = min(max(level, MinLevel), MaxLevel)
	if len(dst) < 1 {
		return 0
	}
	dst[0] = byte(level)
	n := 1
	e.finder.reset(src, level)
	for from := 0; from < len(src); {
		to := min(from+maxSubBlock, len(src))
		block := e.subBlock(from, to, level)
		if len(block) > len(dst)-n {
			return 0
		}
		n += copy(dst[n:], block)
		from = to
	}
	return n
}

// subBlock returns the sub-block for the bytes from..to of the input, which is raw if
// codewords would be longer. It is valid until the next call.
func (e *Encoder) subBlock(from, to, level int) []byte {
	e.parse(from, to, level)
	b := append(e.buf[:0], 0)
	b = appendStream(b, nil)
	b = appendStream(b, e.out.off16)
	b = appendStream(b, e.out.off24)
	if level < 30 {
		b = appendStream(b, e.out.tokens)
		b = appendStream(b, e.out.literals)
	} else {
		b = e.appendHuffman(b, e.out.tokens, flagTokens)
		b = e.appendHuffman(b, e.out.literals, flagLiterals)
	}
	if raw := e.finder.src[from:to]; len(b) >= 4+len(raw) {
		b = appendStream(append(b[:0], rawSubBlock), raw)
	}
	e.buf = b
	return b
}

// parse divides the bytes from..to into literals and matches, and appends the
// codewords for these to e.out. If more than one candidate is tried for a match, it
// also tries whether there is a better match one byte later.
func (e *Encoder) parse(from, to, level int) {
	e.out = streams{e.out.off16[:0], e.out.off24[:0], e.out.tokens[:0], e.out.literals[:0]}
	e.last = 0
	lazy := e.finder.tries > 1
	end := to - minTail
	anchor := from
	for at := from; at+minMatch <= end; {
		offset, n := e.match(at, end)
		if n == 0 {
			at++
			continue
		}
		for lazy && at+1+minMatch <= end {
			offset2, n2 := e.match(at+1, end)
			if n2 <= n+1 {
				break
			}
			at++
			offset, n = offset2, n2
		}
		if literals := e.finder.src[anchor:at]; lz4Family(level) {
			e.putLZ4(literals, offset, n)
		} else {
			e.putLIZ(literals, offset, n)
		}
		at += n
		anchor = at
	}
	e.out.literals = append(e.out.literals, e.finder.src[anchor:to]...)
}

// match finds a match. It prefers a match at the last offset, which takes two bytes less,
// unless another match is much longer.
func (e *Encoder) match(at, end int) (offset, n int) {
	offset, n = e.finder.find(at, end)
	if e.last > 0 {
		if k := lz77.CommonPrefix(e.finder.src, at, at-e.last, end); k >= minMatch && k+2 >= n {
			return e.last, k
		}
	}
	return offset, n
}
