package chunk

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

// constantItem returns the item that src repeats, if there is one and the filters turn
// the repeated items into streams of equal bytes. Then the filters and the codec need not
// run. uniform reports whether all bytes of the item are equal; if not, only split blocks
// have such streams. For data that do not repeat an item, constantItem returns quickly.
func (e *Encoder) constantItem(src []byte) (item []byte, uniform bool) {
	t := e.header.TypeSize
	if !e.writesRuns() || len(src) < t || !bytes.Equal(src[t:], src[:len(src)-t]) {
		return nil, false
	}
	item = src[:t]
	uniform = bytes.Equal(item[1:], item[:t-1])
	if !shufflesItems(e.p.Filters, t) && !(uniform && keepsRun(e.p.Filters, item[0])) {
		return nil, false
	}
	return item, uniform
}

// keepsRun reports whether the filters leave a block unchanged in which every byte is v.
// They do if they only move bytes, or if v is 0 and they only move bytes and bits.
func keepsRun(p filters.Pipeline, v byte) bool {
	for _, id := range p.IDs {
		switch {
		case id == blosc2.FilterNone, id == blosc2.FilterShuffle, id == blosc2.FilterBitShuffle && v == 0:
		default:
			return false
		}
	}
	return true
}

// AppendConstant appends an ordinary chunk of nbytes bytes that repeats value. The length
// of value is the typesize, 1 to 255, and must divide nbytes, which is at most
// MaxBlockSize. The chunk is one shuffled block of run-length streams. It takes 36 bytes,
// and four or five more for each byte of an item. Unlike a special chunk, it can be
// anywhere in a frame.
func AppendConstant(dst []byte, nbytes int, value []byte) ([]byte, error) {
	t := len(value)
	switch {
	case t < 1 || t > MaxTypeSize:
		return dst, &blosc2.OptionError{Option: "typesize", Value: t, Range: "1 to 255 for a constant chunk"}
	case nbytes < 1 || nbytes > MaxBlockSize || nbytes%t != 0:
		return dst, &blosc2.OptionError{Option: "chunk size", Value: nbytes, Range: fmt.Sprintf("a multiple of %d up to %d", t, MaxBlockSize)}
	}
	h := Header{
		Version:      Version,
		CodecVersion: codecVersion,
		Flags:        flagExtended,
		TypeSize:     t,
		NBytes:       nbytes,
		BlockSize:    nbytes,
		Filters:      filters.Default(),
	}
	start := len(dst)
	dst = append(dst, make([]byte, HeaderLen+4+5*t)...)
	c := dst[start:]
	putI32(c[HeaderLen:], HeaderLen+4)
	pos := HeaderLen + 4
	for _, v := range value {
		pos += putRun(c[pos:], v)
	}
	h.CBytes = pos
	h.put(c)
	return dst[:start+pos], nil
}
