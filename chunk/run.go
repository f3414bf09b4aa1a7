package chunk

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// run decodes a stream of which all bytes are equal. csize is 0 for zeros, with
// nothing after it, and -v for bytes v, with a token after it whose bit 0 is
// set (docs/format/chunk.md §3). n is the number of bytes read from src.
func run(dst, src []byte, csize int) (n int, err error) {
	if csize == 0 {
		clear(dst)
		return 0, nil
	}
	if csize < -255 || len(src) < 1 || src[0]&runToken == 0 {
		return 0, fmt.Errorf("stream length %d is not that of a valid run", csize)
	}
	dst[0] = byte(-csize)
	shuffle.Fill(dst, dst[:1])
	return 1, nil
}

// fillRuns decodes a block whose streams are all runs, if that needs no filter
// to be undone: the block is one repeated item or byte. Otherwise, or if the
// block is invalid, fillRuns returns false and does not change dst.
func fillRuns(dst, src []byte, h *Header, streams int) bool {
	var values [MaxTypeSize]byte
	item := values[:streams]
	for j := range item {
		if len(src) < 4 {
			return false
		}
		csize := i32(src)
		if csize > 0 || csize < -255 {
			return false
		}
		src = src[4:]
		if csize < 0 {
			if len(src) == 0 || src[0]&runToken == 0 {
				return false
			}
			src = src[1:]
		}
		item[j] = byte(-csize)
	}
	if v, uniform := shuffle.IsRun(item); uniform && keepsRun(h.Filters, v) {
		item = item[:1]
	} else if streams != h.TypeSize || !shufflesItems(h.Filters, streams) {
		return false
	}
	shuffle.Fill(dst, item)
	return true
}

// shufflesItems reports whether the pipeline is a shuffle of items of t bytes
// and nothing else.
func shufflesItems(p filters.Pipeline, t int) bool {
	shuffles := 0
	for i, id := range p.IDs {
		switch {
		case id == blosc2.FilterNone:
		case id == blosc2.FilterShuffle && (p.Metas[i] == 0 || int(p.Metas[i]) == t):
			shuffles++
		default:
			return false
		}
	}
	return shuffles == 1
}

// putRun writes the run-length form of a stream of bytes v, and returns its
// length.
func putRun(c []byte, v byte) int {
	putI32(c, -int(v))
	if v == 0 {
		return 4
	}
	c[4] = runToken
	return 5
}

const (
	runToken  = 1 // follows the length of a run
	maxRunLen = 5 // of its short form
)
