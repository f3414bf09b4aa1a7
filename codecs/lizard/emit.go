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
		o.off24 = appendU24(o.off24, offset)
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
		s.literals = binary.LittleEndian.AppendUint16(append(s.literals, ext16), uint16(n))
	default:
		s.literals = appendU24(append(s.literals, ext24), n)
	}
}

func appendU24(b []byte, n int) []byte { return append(b, byte(n), byte(n>>8), byte(n>>16)) }

// appendStream appends a stream that is not Huffman coded.
func appendStream(b, data []byte) []byte { return append(appendU24(b, len(data)), data...) }

// minHuffman is the shortest stream for which Huffman coding is tried: the header, the
// table and the jump table alone take about 20 bytes.
const minHuffman = 32

// appendHuffman appends a stream to a sub-block. If Huffman coding makes it shorter, the
// stream is coded and the flag is set in the first byte.
func (e *Encoder) appendHuffman(b, data []byte, flag byte) []byte {
	if len(data) < minHuffman {
		return appendStream(b, data)
	}
	e.huff.Reuse = huff0.ReusePolicyNone
	coded, _, err := huff0.Compress4X(data, &e.huff)
	if err == huff0.ErrUseRLE {
		coded, err = data[:1], nil
	}
	if err != nil || len(coded)+3 >= len(data) {
		return appendStream(b, data)
	}
	b[0] |= flag
	return appendStream(appendU24(b, len(data)), coded)
}
