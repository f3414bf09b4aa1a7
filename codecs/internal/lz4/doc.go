// Package lz4 encodes and decodes LZ4 blocks (lz4_Block_format.md of the LZ4 project),
// whose two sizes are stored elsewhere. A block is a series of sequences: a token,
// whose upper half is the number of literals and whose lower half is the length of a
// match less 4; more of the former, if it is 15, in bytes up to one that is not 255;
// the literals; the distance in two bytes; more of the latter. The last sequence ends
// after its literals. Its encoder makes the bytes of LZ4 1.9 and 1.10's
// LZ4_compress_fast. On amd64 both are in assembly, because blocks of shuffled planes
// consist of sequences of a few bytes, in which every branch counts.
package lz4

const minMatch = 4
