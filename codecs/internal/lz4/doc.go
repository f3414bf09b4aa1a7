// Package lz4 encodes and decodes LZ4 blocks (lz4_Block_format.md of the LZ4 project),
// whose two sizes are stored elsewhere. A block is a series of sequences. A sequence is a
// token, with the number of literals in its upper half and the length of a match minus 4
// in its lower half; if the former is 15, bytes to add to it, up to and including the
// first that is not 255; the literals; the distance, in two bytes; and, in the same form,
// bytes to add to the length of the match. The last sequence ends after its literals. The
// encoder writes the same bytes as LZ4_compress_fast of LZ4 1.9 and 1.10. On amd64 both
// encoder and decoder are in assembly, because blocks of shuffled planes consist of
// sequences of a few bytes, in which every branch counts.
package lz4

const minMatch = 4
