package frame

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Blocks with less than nearby bytes between them are read together, at most batch bytes
// at a time: copying a page from the system's cache takes less time than another system
// call. batch bounds the memory of a state.
const (
	nearby = 4 << 10
	batch  = 4 << 20
)

// ReadBlocks decodes single blocks of chunk n, in the order given, and calls each for
// every block. data is valid until each returns. ReadBlocks reads only the chunk's
// beginning and the bytes of these blocks. It reads the whole chunk and checks its digest
// if CheckWhole is set, or if all blocks are requested and the frame states its block
// size. An error of each ends the call and is returned.
func (f *Reader) ReadBlocks(n int64, blocks []int, each func(block int, data []byte) error) error {
	return f.keepBlocks(nil, n, blocks, each)
}

// keepBlocks does what ReadBlocks does. If c is not nil, it also puts the blocks into c.
func (f *Reader) keepBlocks(c *BlockCache, n int64, blocks []int, each func(block int, data []byte) error) error {
	if n < 0 || n >= int64(len(f.index)) {
		return &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	}
	s := f.state()
	defer f.states.Put(s)
	s.start, s.end = 0, 0
	held := f.hold(framing.Want{Chunk: n, Blocks: blocks})
	defer held.Release()
	whole := f.wantsAll(len(blocks))
	l, err := f.layout(s, n, whole)
	if err != nil {
		return err
	}
	if c == nil {
		return f.readBlocks(s, l, n, blocks, each)
	}
	return f.readBlocks(s, l, n, blocks, func(b int, data []byte) error {
		err := each(b, data)
		if err == nil {
			s.block = c.put(blockKey{f, f.resets, n, b}, data, l.BlockSize, whole || f.cfg.whole)
		}
		return err
	})
}

// wantsAll reports whether count blocks are all blocks of a chunk. Then the chunk's
// digest is checked.
func (f *Reader) wantsAll(blocks int) bool {
	return int64(blocks)*int64(f.h.BlockSize) >= int64(f.h.ChunkSize) && f.h.BlockSize > 0
}

// layout returns the layout of chunk n. It reads the beginning of the chunk into s.head
// or, if whole or CheckWhole is set, all of the chunk.
func (f *Reader) layout(s *state, n int64, whole bool) (*chunk.Layout, error) {
	var err error
	switch {
	case f.index[n] < 0:
		s.head, err = f.special(s.head[:0], n)
	case f.cfg.whole || whole:
		var it Item
		if it, err = f.fetch(s.head, n); err == nil {
			s.head, err = it.Chunk, it.Verify()
		}
	default:
		s.head, err = f.chunkHead(s.head[:0], n)
	}
	if err != nil {
		return nil, blosc2.At(f.changedOr(err), n, f.offset(n))
	}
	l, err := chunk.ParseLayout(s.head)
	if err != nil {
		err = blosc2.At(f.changedOr(err), n, f.offset(n))
	}
	return l, err
}

// chunkHead reads the first bytes of chunk n, which hold its layout.
func (f *Reader) chunkHead(b []byte, n int64) ([]byte, error) {
	b, err := f.more(b, n, f.headGuess(n))
	if err != nil {
		return b, err
	}
	cbytes, err := f.checkChunk(b, n)
	if err != nil {
		return b, err
	}
	h, err := chunk.ParseHeader(b)
	if err != nil {
		return b, err
	}
	want := int64(h.LayoutLen())
	if int64(len(b)) < want {
		if b, err = f.more(b, n, want-int64(len(b))); err != nil {
			return b, err
		}
	}
	if int64(len(b)) < want {
		return b, endsEarly(len(b), cbytes)
	}
	return b[:min(int64(len(b)), cbytes)], nil
}

// readBlocks fetches and decodes blocks of a chunk whose layout is known.
func (f *Reader) readBlocks(s *state, l *chunk.Layout, n int64, blocks []int, each func(int, []byte) error) error {
	at := f.offset(n)
	for _, b := range blocks {
		if b < 0 || b >= l.NumBlocks {
			return &blosc2.OptionError{Option: "block", Value: b, Range: "in the chunk"}
		}
	}
	if l.NeedsRef() {
		off, k := l.Extent(0)
		packed, err := f.chunkBytes(s, n, off, k)
		if err == nil {
			s.ref, err = decodeBlock(&s.dec, s.ref, packed, l, 0)
		}
		if err != nil {
			return blosc2.At(err, n, at)
		}
		l.Ref = s.ref
	}
	for len(blocks) > 0 {
		first, last, count := span(l, blocks)
		packed, err := f.chunkBytes(s, n, first, last-first)
		if err != nil {
			return blosc2.At(err, n, at)
		}
		for _, b := range blocks[:count] {
			off, k := l.Extent(b)
			var one []byte
			if k > 0 {
				one = packed[off-first : off-first+k]
			}
			if s.block, err = decodeBlock(&s.dec, s.block, one, l, b); err != nil {
				return blosc2.At(f.changedOr(err), n, at)
			}
			if err := each(b, s.block); err != nil {
				return err
			}
		}
		blocks = blocks[count:]
	}
	return nil
}

// span returns the range of the chunk's bytes to read for the first count
// blocks.
func span(l *chunk.Layout, blocks []int) (first, last, count int) {
	for _, b := range blocks {
		off, k := l.Extent(b)
		switch {
		case count == 0:
			first, last = off, off+k
		case off < first || off > last+nearby || off+k-first > batch:
			return first, last, count
		default:
			last = max(last, off+k)
		}
		count++
	}
	return first, last, count
}

// chunkBytes returns k stored bytes of chunk n from off on, from s.head if it
// holds them.
func (f *Reader) chunkBytes(s *state, n int64, off, k int) ([]byte, error) {
	b, err := f.bytesOfChunk(s, n, off, k)
	if err == nil {
		err = f.unchanged(n, s.head)
	}
	if err != nil {
		err = f.changedOr(err)
	}
	return b, err
}

func (f *Reader) bytesOfChunk(s *state, n int64, off, k int) ([]byte, error) {
	if k == 0 {
		return nil, nil
	}
	if off+k <= len(s.head) {
		return s.head[off : off+k], nil
	}
	if cap(s.packed) < k {
		s.packed = make([]byte, k)
	}
	s.packed = s.packed[:k]
	got, err := f.readChunk(s.packed, f.index[n], int64(off))
	if err == nil && got < k {
		err = endsEarly(off+got, int64(off+k))
	}
	return s.packed, err
}

// decodeBlock decodes block i into dst, which grows if it is too small.
func decodeBlock(d *chunk.Decoder, dst, packed []byte, l *chunk.Layout, i int) ([]byte, error) {
	size, err := l.DecodedLen(i, packed)
	if err != nil {
		return dst[:0], err
	}
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	dst = dst[:size]
	return dst, d.DecodeBlock(dst, packed, l, i)
}
