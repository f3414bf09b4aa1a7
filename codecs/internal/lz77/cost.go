package lz77

import "math/bits"

const (
	sequenceCost = 7  // what a sequence costs in bits besides those of its distance: the entropy of its codes
	fastCounted  = 16 // bytes that the fast search compares to see what a match saves
)

// saves reports whether a match costs no more than its bytes do as literals, if each of
// these costs literal, in 256ths of a bit.
func saves(length, distance, literal int) bool {
	return length*literal >= (bits.Len(uint(distance))+sequenceCost)<<8
}

// fastSaves is saves for the fast search. It compares only fastCounted bytes, and reports
// true if all of them are equal, or if fewer remain.
func fastSaves(src []byte, ip, ref, to, literal int) bool {
	if ip+fastCounted > to {
		return true
	}
	length := CommonPrefix(src, ip, ref, ip+fastCounted)
	return length == fastCounted || saves(length, ip-ref, literal)
}
