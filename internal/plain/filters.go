package plain

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

// Backward undoes the filters p of the block src, writes the result to dst, and reports
// whether it could: it supports shuffle, bitshuffle, delta, bytedelta and trunc_prec as
// in the current version of chunks, and does nothing if p has others. dst and src have
// the same length and must not overlap.
func Backward(p filters.Pipeline, dst, src []byte, prm filters.Params) bool {
	if prm.Version == 2 || prm.Version == 3 || prm.Undated {
		return false // bitshuffle was different in these versions
	}
	for _, id := range p.IDs {
		switch id {
		case blosc2.FilterNone, blosc2.FilterShuffle, blosc2.FilterBitShuffle, blosc2.FilterDelta, blosc2.FilterByteDelta, blosc2.FilterTruncPrec:
		default:
			return false
		}
	}
	logical := prm.LogicalTypeSize
	if logical == 0 {
		logical = prm.TypeSize
	}
	copy(dst, src)
	before := make([]byte, len(src))
	for i := len(p.IDs) - 1; i >= 0; i-- {
		copy(before, dst)
		meta := int(p.Metas[i])
		switch p.IDs[i] {
		case blosc2.FilterShuffle:
			if meta == 0 {
				meta = prm.TypeSize
			}
			unshuffle(dst, before, meta)
		case blosc2.FilterBitShuffle:
			unbitshuffle(dst, before, prm.TypeSize)
		case blosc2.FilterDelta:
			undelta(dst, before, prm)
		case blosc2.FilterByteDelta:
			if meta == 0 {
				meta = logical
			}
			for plane := range meta {
				n := len(src) / meta
				for k := plane*n + 1; k < (plane+1)*n; k++ {
					dst[k] = dst[k-1] + before[k]
				}
			}
		}
	}
	return true
}

// unshuffle does not change the bytes after the last whole item.
func unshuffle(dst, src []byte, size int) {
	n := len(src) / size
	for j := range size {
		at := j
		for _, v := range src[j*n : (j+1)*n] {
			dst[at] = v
			at += size
		}
	}
}

// unbitshuffle does not change the items after the last multiple of eight.
func unbitshuffle(dst, src []byte, size int) {
	n := len(src) / size / 8 * 8
	clear(dst[:n*size])
	for bit := range 8 * size {
		for i := range n {
			v := src[bit*(n/8)+i/8] >> (i % 8) & 1
			dst[i*size+bit/8] |= v << (bit % 8)
		}
	}
}

// undelta does not change the bytes after the last whole unit.
func undelta(dst, src []byte, prm filters.Params) {
	unit := 1
	switch t := prm.TypeSize; {
	case t == 2 || t == 4:
		unit = t
	case t%8 == 0:
		unit = 8
	}
	for i := range len(src) / unit * unit {
		switch {
		case prm.Block > 0:
			dst[i] = src[i] ^ prm.Ref[i]
		case i >= unit:
			dst[i] = src[i] ^ dst[i-unit]
		}
	}
}
