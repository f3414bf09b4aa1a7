package chunk

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
)

// These are the sizes, in bytes, of what a chunk of variable-length blocks holds besides
// the blocks.
const (
	vlSizeLen  = 4                       // the size before each block
	vlPerBlock = 4 + vlSizeLen           // block start, and the size before the block
	vlPerChunk = HeaderLen + 4 + MaxDict // header, and the longest dictionary with its length
)

// EncodeBlocks appends a chunk of blocks of variable length (chunk format version 6,
// which C-Blosc2 reads since 3.0.0) to dst, at most BlocksBound(blocks) bytes. Every
// block must have at least one byte, and all of them together at most MaxBytes. The block
// size and the split mode of the parameters are ignored, no special chunk is made, and at
// level 0 the filtered blocks are stored uncompressed. The delta filter returns an error,
// because it needs a reference block of the same length.
func (e *Encoder) EncodeBlocks(dst []byte, blocks [][]byte) ([]byte, error) {
	if err := e.checkBlocks(blocks); err != nil {
		return dst, err
	}
	start := len(dst)
	bound := BlocksBound(blocks)
	grown := slices.Grow(dst, bound)
	n, err := e.encodeBlocks(grown[start:start+bound], blocks)
	if err != nil {
		return dst, err
	}
	return grown[:start+n], nil
}

// BlocksBound returns the largest length of a chunk of these blocks.
func BlocksBound(blocks [][]byte) int {
	n := vlPerChunk
	for _, b := range blocks {
		n += vlPerBlock + len(b)
	}
	return n
}

func (e *Encoder) checkBlocks(blocks [][]byte) error {
	switch {
	case e.p.Format != Current:
		return &blosc2.OptionError{Option: "chunk format", Value: e.p.Format, Range: "Current for blocks of variable length"}
	case e.p.Filters.Has(blosc2.FilterDelta):
		return &blosc2.OptionError{Option: "filters", Value: e.p.Filters, Range: "without delta for blocks of variable length"}
	case len(blocks) == 0:
		return &blosc2.OptionError{Option: "number of blocks", Value: 0, Range: "at least 1"}
	}
	room := int64(vlPerChunk)
	for i, b := range blocks {
		if len(b) == 0 || len(b) > MaxBlockSize {
			return &blosc2.OptionError{Option: fmt.Sprintf("length of block %d", i), Value: len(b), Range: fmt.Sprintf("1 to %d", MaxBlockSize)}
		}
		room += int64(vlPerBlock + len(b))
	}
	if room > math.MaxInt32 {
		return fmt.Errorf("%w: blocks of variable length may need %d bytes; the limit is %d", blosc2.ErrTooLarge, room, math.MaxInt32)
	}
	return nil
}

func (e *Encoder) encodeBlocks(c []byte, blocks [][]byte) (int, error) {
	h := &e.header
	*h = e.p.header(0, 0)
	h.Version, h.VLFlags, h.BlockSize = VersionVL, flagVLBlocks, len(blocks)
	h.Flags = flagExtended | e.p.codingFlags(h) | flagNotSplit
	for _, b := range blocks {
		h.NBytes += len(b)
	}
	pos := HeaderLen + 4*len(blocks)
	if e.dict = nil; e.p.Dict && len(blocks) >= minDictBlocks {
		if err := e.train(h.NBytes, nil, slices.Values(blocks)); err != nil {
			return 0, err
		}
		pos += e.putDict(c, pos)
	}
	prm := e.codecParams(true)
	for i, b := range blocks {
		putI32(c[HeaderLen+4*i:], pos)
		putI32(c[pos:], len(b))
		pos += vlSizeLen
		filtered, err := e.filter(b, nil, i)
		if err != nil {
			return 0, err
		}
		n := 0
		if e.p.Level > 0 {
			room := c[pos : pos+len(b) : pos+len(b)]
			if n, err = e.codec.Encode(room, filtered, prm); err != nil {
				return 0, err
			}
		}
		if n == 0 || n >= len(b) {
			n = copy(c[pos:], filtered)
		}
		pos += n
	}
	h.CBytes = pos
	h.put(c)
	return pos, nil
}
