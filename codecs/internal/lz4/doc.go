// Package lz4 codes LZ4 blocks: the bytes between two sizes that something
// else keeps. Its encoder makes the bytes of LZ4 1.9 and 1.10's
// LZ4_compress_fast. On amd64 both directions are written by hand, because
// blocks of shuffled planes are sequences of a few bytes each, whose every
// branch counts.
package lz4

const minMatch = 4
