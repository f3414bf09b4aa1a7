package lizard

import (
	"encoding/binary"

	"github.com/klauspost/compress/huff0"
)

// putLZ4 codes a literal run and the match that follows it with the codewords of the LZ4
// family.
func (e *Encoder) putLZ4(literals []byte, offset, n int) {
	o := &e.out
	run, match := len(literals), n-lz4MinMatch
	o.tokens = append(o.tokens, byte(min(run, lz4MaxShort)|min(match, lz4MaxShort)<<4))
	o.extend(run, lz4MaxShort)
	o.literals = append(o.literals, literals...)
	o.literals = binary.LittleEndian.AppendUint16(o.literals, uint16(offset))
	o.extend(match, lz4MaxShort)
}

// putLIZ codes a literal run and the match that follows it with the codewords of the
// LIZv1 family.
func (e *Encoder) putLIZ(literals []byte, offset, n int) {
	o := &e.out
	run := len(literals)
	short := min(run, lizMaxShortLit)
	far := offset >= 1<<16 && offset != e.last
	switch {
	case offset == e.last:
		o.tokens = append(o.tokens, byte(lizUseLast|min(n, lizMaxShortMatch)<<3|short))
	case !far:
		o.tokens = append(o.tokens, byte(min(n, lizMaxShortMatch)<<3|short))
		o.off16 = binary.LittleEndian.AppendUint16(o.off16, uint16(offset))
	case run > 0: // literals get a separate token, because the token of a far match has no field for them
		o.tokens = append(o.tokens, byte(lizUseLast|short))
	}
	o.extend(run, lizMaxShortLit)
	o.literals = append(o.literals, literals...)
	if far {
		n -= lizMinLongMatch
		o.tokens = append(o.tokens, byte(min(n, lizLongToken)))
		o.off24 = append(o.off24, byte(offset), byte(offset>>8), byte(offset>>16))
		o.extend(n, lizLongToken)
	} else {
		o.extend(n, lizMaxShortMatch)
	}
	e.last = offset
}

// extend codes the part of a length that does not fit in its token.
func (s *streams) extend(n, full int) {
	switch n -= full; {
	case n < 0:
	case n < ext16:
		s.literals = append(s.literals, byte(n))
	case n < 1<<16:
		s.literals = append(s.literals, ext16, byte(n), byte(n>>8))
	default:
		s.literals = append(s.literals, ext24, byte(n), byte(n>>8), byte(n>>16))
	}
}

func putU24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }

// A writer writes a coded sub-block to dst, and records whether dst is too short.
type writer struct {
	dst  []byte
	n    int
	full bool
	huff *huff0.Scratch
}

// room returns the next n bytes, or nil if there are fewer.
func (w *writer) room(n int) []byte {
	if w.full = w.full || n > len(w.dst)-w.n; w.full {
		return nil
	}
	w.n += n
	return w.dst[w.n-n : w.n]
}

// flags sets bits of the sub-block's first byte.
func (w *writer) flags(f byte) {
	if w.n > 0 {
		w.dst[0] |= f
	} else if b := w.room(1); b != nil {
		b[0] = f
	}
}

// stream writes a raw stream.
func (w *writer) stream(data []byte) {
	if b := w.room(3 + len(data)); b != nil {
		putU24(b, len(data))
		copy(b[3:], data)
	}
}

// minHuffman is the shortest stream for which Huffman coding is tried: the header, the
// table and the jump table alone take about 20 bytes.
const minHuffman = 32

// huffman writes a stream. If Huffman coding makes it shorter, the stream is coded and
// the flag is set.
func (w *writer) huffman(data []byte, flag byte) {
	if len(data) < minHuffman {
		w.stream(data)
		return
	}
	w.huff.Reuse = huff0.ReusePolicyNone
	coded, _, err := huff0.Compress4X(data, w.huff)
	if err == huff0.ErrUseRLE {
		coded, err = data[:1], nil
	}
	if err != nil || len(coded)+3 >= len(data) {
		w.stream(data)
		return
	}
	if b := w.room(6 + len(coded)); b != nil {
		putU24(b, len(data))
		putU24(b[3:], len(coded))
		copy(b[6:], coded)
		w.flags(flag)
	}
}
