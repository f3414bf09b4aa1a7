// Package lizard decodes and encodes Lizard blocks, as C-Blosc2 wrote them
// from July 2017 to February 2021. C-Blosc2 2.0 and later cannot read them.
//
// A block is one byte with the level, then sub-blocks of up to 128 KiB of
// decoded bytes. A sub-block is raw, or it is five streams: lengths (always
// empty), 16-bit offsets, 24-bit offsets, tokens and literals. Levels 10–19 and
// 30–39 use codewords like LZ4's, 20–29 and 40–49 a separate family called
// LIZv1; from 30 on tokens and literals may be Huffman coded.
//
// The published description of Lizard differs from its code: the lengths stream is
// empty, and long lengths (and, in the LZ4 family, all offsets) are among the
// literals. This package follows the code (docs/format/codecs.md §3).
package lizard

import "github.com/seed03b80dae/blosc2"

// These are the levels of the format. A decoder uses the level only to determine the
// family of codewords.
const (
	MinLevel = 10
	MaxLevel = 49
)

const (
	maxSubBlock = 128 << 10 // most decoded bytes of a sub-block

	rawSubBlock = 0x80 // first byte of a raw sub-block

	// In the first byte of any other sub-block, these bits mark the streams that are
	// Huffman coded.
	flagLiterals = 0x01
	flagTokens   = 0x02
	flagOff16    = 0x04
	flagOff24    = 0x08
	flagLengths  = 0x10

	// In the LZ4 family a token has 4 bits for the number of literals and 4 for the
	// length of the match.
	lz4MaxShort = 15
	lz4MinMatch = 4

	// In LIZv1 a token of 32 or more has 3 bits for the number of literals, 4 for the
	// length of the match, and one bit that is set if the last offset is used again.
	// Tokens below 32 are for 24-bit offsets.
	lizMaxShortLit   = 7
	lizMaxShortMatch = 15
	lizLongToken     = 31
	lizMinLongMatch  = 16
	lizMinToken      = 32
	lizUseLast       = 0x80

	// A length that does not fit in its token continues in the literals stream, with a
	// byte, or with one of these two values and a number of 16 or 24 bits.
	ext16 = 254
	ext24 = 255
)

// lz4Family reports whether a level uses the LZ4 family's codewords.
func lz4Family(level int) bool { return level/10%2 == 1 }

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "lizard: "+format, args...)
}

func u16(b []byte) int { return int(b[0]) | int(b[1])<<8 }
func u24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
