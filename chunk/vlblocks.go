package chunk

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
)

// vlBlockLen returns the number of decoded bytes of a block of variable length
// from its first four bytes.
func vlBlockLen(block []byte) (int, error) {
	if len(block) < 4 {
		return 0, fault(0, io.ErrUnexpectedEOF, "truncated block of variable length: has %d bytes, must have more than 4", len(block))
	}
	n := i32(block)
	if n <= 0 || n > MaxBlockSize {
		return 0, fault(0, blosc2.ErrCorrupt, "block of variable length decodes to %d bytes; must be 1 to %d", n, MaxBlockSize)
	}
	return n, nil
}

// vlExtent returns the bytes of block i of c, beginning with its length, and the
// number of its decoded bytes (docs/format/chunk.md §8).
func (l *Layout) vlExtent(c []byte, i int) (block []byte, n int, err error) {
	start, end := l.start(i), l.Header.CBytes
	if i+1 < l.NumBlocks {
		end = l.start(i + 1)
	}
	n = i32(c[start:])
	if end-start <= 4 || n <= 0 || n > l.Header.NBytes {
		return nil, 0, blockFault(i, start, blosc2.ErrCorrupt, "%d bytes cannot hold a block of %d bytes", end-start, n)
	}
	return c[start:end], n, nil
}

// checkVL returns an error unless the sizes of the blocks add up to the size in the
// header.
func (l *Layout) checkVL(c []byte) error {
	if !l.Header.VLBlocks() {
		return nil
	}
	sum := 0
	for i := range l.NumBlocks {
		_, n, err := l.vlExtent(c, i)
		if err != nil {
			return err
		}
		sum += n
	}
	if sum != l.Header.NBytes {
		return fault(4, blosc2.ErrCorrupt, "blocks have %d bytes in all, but the chunk has %d", sum, l.Header.NBytes)
	}
	return nil
}

// vlBlock decodes block i, which is at offset at in the chunk, into dst.
func (d *Decoder) vlBlock(dst, block []byte, l *Layout, i, at int) error {
	if n, err := vlBlockLen(block); err != nil || n != len(dst) {
		return blockFault(i, at, blosc2.ErrCorrupt, "block of variable length does not have %d bytes", len(dst))
	}
	data := block[4:]
	filtered := d.forStreams(dst, &l.Header)
	if len(data) == len(dst) {
		copy(filtered, data)
	} else if err := d.stream(filtered, data, d.codecParams(l, true), i, at+4); err != nil {
		return err
	}
	return d.unfilter(dst, filtered, l, i, at)
}

// DecodeVLBlock appends the decoded bytes of block i of c, a chunk of blocks of
// variable length, to dst, which must not overlap c. i counts from 0 to
// Header.BlockSize-1.
func (d *Decoder) DecodeVLBlock(dst, c []byte, i int) ([]byte, error) {
	l := &d.layout
	if err := d.open(l, c); err != nil {
		return dst, err
	}
	if !l.Header.VLBlocks() || i < 0 || i >= l.NumBlocks {
		return dst, &blosc2.OptionError{Option: "block", Value: i, Range: "the number of a block of variable length"}
	}
	c = c[:l.Header.CBytes]
	if l.NeedsRef() && i > 0 {
		if err := d.decodeRef(c, l); err != nil {
			return dst, err
		}
	}
	block, n, err := l.vlExtent(c, i)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	grown := slices.Grow(dst, n)[:start+n]
	if err := d.vlBlock(grown[start:], block, l, i, l.start(i)); err != nil {
		return dst, err
	}
	return grown, nil
}
