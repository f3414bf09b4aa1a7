// Package lizard decodes and encodes Lizard blocks, as C-Blosc2 wrote them
// from July 2017 to February 2021. C-Blosc2 2.0 and later cannot read them.
//
// A block is one byte with the level, then sub-blocks of up to 128 KiB of
// decoded bytes. A sub-block is raw, or it is five streams: lengths (always
// empty), 16-bit offsets, 24-bit offsets, tokens and literals. Levels 10–19 and
// 30–39 use codewords like LZ4's, 20–29 and 40–49 a separate family called
// LIZv1; from 30 on tokens and literals may be Huffman coded.
//
// The published text on Lizard differs from what its coder does: the lengths
// stream stays empty, long lengths (and in the LZ4 family all offsets) are
// mixed into the literals. This package follows the coder
// (docs/format/codecs.md §3).
package lizard

import "github.com/seed03b80dae/blosc2"

// Levels that the format knows. Which of them an encoder used matters to a
// decoder only through the family of codewords.
const (
	MinLevel = 10
	MaxLevel = 49
)

const (
	maxSubBlock = 128 << 10 // decoded bytes

	rawSubBlock = 0x80 // the sub-block's first byte if it is raw

	// The other bits of that byte say which streams are Huffman coded.
	flagLiterals = 0x01
	flagTokens   = 0x02
	flagOff16    = 0x04
	flagOff24    = 0x08
	flagLengths  = 0x10

	// The LZ4 family: a token has 4 bits of literal and 4 of match length.
	lz4MaxShort = 15
	lz4MinMatch = 4

	// LIZv1: a token from 32 on has 3 bits of literal length, 4 of match
	// length and one that is set to use the last offset again. Below that are
	// the tokens of 24-bit offsets.
	lizMaxShortLit   = 7
	lizMaxShortMatch = 15
	lizLongToken     = 31
	lizMinLongMatch  = 16
	lizMinToken      = 32
	lizUseLast       = 0x80

	// A length that does not fit its token continues in the literals stream: a
	// byte, or one of these two and a 16-bit or a 24-bit number.
	ext16 = 254
	ext24 = 255
)

// lz4Family says which codewords a level uses.
func lz4Family(level int) bool { return level/10%2 == 1 }

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "lizard: "+format, args...)
}

func u16(b []byte) int { return int(b[0]) | int(b[1])<<8 }
func u24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
