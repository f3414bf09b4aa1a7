// Package lz4 codes LZ4 blocks: the bytes between two sizes that something
// else keeps.
package lz4

const (
	minMatch     = 4
	lastLiterals = 5 // a block ends with at least as many literals
)
