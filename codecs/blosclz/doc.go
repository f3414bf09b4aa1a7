// Package blosclz is the codec of the first Blosc: a descendant of FastLZ that gives up
// early on data that it cannot compress well.
//
// Encoder makes the bytes that C-Blosc2 makes, at every level; Decode rejects
// what C-Blosc2 rejects. The package handles single streams; chunks, blocks and
// filters are handled by the packages above.
//
// # Stream
//
// A stream is a sequence of instructions. The control byte c says which:
//
//	c < 32    c+1 literal bytes follow
//	c >= 32   a match. Its length is c>>5 + 2; if c>>5 is 7, bytes follow
//	          that are added to it, up to and including the first that is not
//	          255. Then a byte b: the distance is (c&31)<<8 + b + 1. If
//	          c&31 is 31 and b is 255, two more bytes v follow, big-endian: the
//	          distance is v + 8192
//
// The first instruction is always a literal run; bit 5 of its control byte is a
// marker and not part of the length. The last instruction is also a literal run.
package blosclz

const (
	maxLiterals   = 32 // most literals of one instruction
	minMatch      = 3  // shortest match that the format can express
	longLength    = 7  // a length code of 7 has extension bytes
	shortDistance = 8191
	literalMarker = 1 << 5
)

// The encoder uses only a part of what the format allows.
const (
	farDistance    = 73725 // the first distance that the encoder does not use
	matchShift     = 4     // a match is coded 4 bytes shorter than the compared bytes, plus 2
	minMatchLength = 4     // shortest match of the encoder, less 2
	minFarLength   = 6     // shortest match at a distance above shortDistance, less 2
	trailingInput  = 12    // no match begins in the last bytes of the input
	minInput       = 16    // shorter inputs are not worth trying
	minOutput      = 66    // smaller destinations are not worth trying
	writeRoom      = 80    // space left in src and dst when instructions are written without checking either
)
