package chunk

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// run decodes a stream in which all bytes are equal. csize is 0 for zeros, which take no
// bytes of src. It is -v for bytes v; then a token follows, with bit 0 set
// (docs/format/chunk.md §3). n is the number of bytes read from src.
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

// fillRuns decodes a block whose streams are all runs, if no filter has to be undone.
// Such a block is one repeated item or byte. For any other block, and for an invalid one,
// fillRuns returns false and does not change dst.
func fillRuns(dst, src []byte, h *Header, streams int) bool {
	var values [MaxTypeSize]byte
	item := values[:streams]
	for j := range item {
		if len(src) < 4 {
			return false
		}
		csize := i32(src)
		if csize > 0 {
			return false
		}
		n, err := run(item[j:j+1], src[4:], csize)
		if err != nil {
			return false
		}
		src = src[4+n:]
	}
	if v, uniform := shuffle.IsRun(item); uniform && keepsRun(h.Filters, v) {
		item = item[:1]
	} else if streams != h.TypeSize || !shufflesItems(h.Filters, streams) {
		return false
	}
	shuffle.Fill(dst, item)
	return true
}

// shufflesItems reports whether the only filter of the pipeline is a shuffle of items of
// t bytes.
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

// putRun writes the run-length form of a stream in which every byte is v, and returns its
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
	runToken  = 1 // byte after the length of a run
	maxRunLen = 5 // bytes in the longest form of a run
)
