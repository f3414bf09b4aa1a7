package frame

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A rowLayout describes where the rows of an array are in its chunks, for a log of
// an array that grows row by row. A slab is as many rows as a chunk has, and takes
// one chunk or, if rows are wider than a chunk, several. Each chunk holds blocks,
// and a row has one segment in each block that it crosses:
//
//	row = seg₀ seg₁ …, across of each chunk in turn
//
// Rows of a block follow each other, and so do those of a slab if there is one
// segment.
type rowLayout struct {
	chunks int64 // number of chunks in a slab
	rows   int64 // number of rows in a slab
	block  int64 // number of rows in a block
	across int64 // number of blocks in a chunk that a row crosses
	seg    int64 // bytes in a segment
	size   int64 // decoded bytes in a chunk
	stated int64 // number of rows of the array according to the header
}

// rowsOf returns the layout of the array that a frame holds. It returns nil if the frame
// holds no growing array.
func rowsOf(h *header.Header) *rowLayout {
	b, ok := meta.Find(h.Layers, meta.B2NDName)
	if !ok || h.ChunkSize <= 0 || h.VariableChunks || h.TypeSize < 1 {
		return nil
	}
	a, err := meta.ParseB2ND(b)
	if err != nil || len(a.Shape) == 0 || len(a.ChunkShape) != len(a.Shape) || len(a.BlockShape) != len(a.Shape) {
		return nil
	}
	y := &rowLayout{chunks: 1, across: 1, seg: int64(h.TypeSize), size: int64(h.ChunkSize), stated: a.Shape[0]}
	for d := range a.Shape {
		s, c, b := a.Shape[d], int64(a.ChunkShape[d]), int64(a.BlockShape[d])
		if s < 0 || c < 1 || b < 1 {
			return nil
		}
		if d == 0 {
			y.rows, y.block = c, b
			continue
		}
		n := (s-1)/c + 1
		if s == 0 || n > MaxChunks/y.chunks {
			return nil
		}
		y.chunks *= n
		y.across *= (c-1)/b + 1
		y.seg *= b
		if y.seg > y.size || y.across > y.size {
			return nil
		}
	}
	blocks := (y.rows-1)/y.block + 1
	if y.block > y.size || blocks > y.size || y.across*y.seg > y.size || blocks*y.block > y.size ||
		blocks*y.block*(y.across*y.seg) != y.size || y.chunks > 1<<40/y.size {
		return nil
	}
	return y
}

// row returns the number of bytes of a row, including the padding of its segments.
func (y *rowLayout) row() int64 { return y.chunks * y.across * y.seg }

// flat reports whether the rows of a slab follow each other.
func (y *rowLayout) flat() bool { return y.chunks*y.across == 1 }

// stored returns the stored size of an open chunk in the slab.
func (y *rowLayout) stored() int64 { return chunk.HeaderLen + y.size }

// inChunk returns the offset of segment j of a row in the decoded bytes of its
// chunk.
func (y *rowLayout) inChunk(row, j int64) int64 {
	return ((row/y.block*y.across+j)*y.block + row%y.block) * y.seg
}

// live returns the length of the prefix of a chunk's decoded bytes that holds the blocks
// with the first rows.
func (y *rowLayout) live(rows int64) int64 {
	return (rows + y.block - 1) / y.block * y.block * y.across * y.seg
}

// runs calls do for each run of bytes that belong to the rows from from up to to. A run
// holds the rows from r up to end of segment s, which is segment j of chunk k.
func (y *rowLayout) runs(from, to int64, do func(r, end, s int64) error) error {
	for r := from; r < to; {
		end := min(to, (r/y.block+1)*y.block)
		for s := range y.chunks * y.across {
			if err := do(r, end, s); err != nil {
				return err
			}
		}
		r = end
	}
	return nil
}

// wipe clears the rows after the first rows in b, which holds the decoded bytes of a
// chunk from offset off on.
func (y *rowLayout) wipe(b []byte, off, rows int64) {
	if part := rows % y.block; part > 0 {
		first := rows - part
		for j := range y.across {
			lo := y.inChunk(first, j)
			clearSpan(b, off, lo+part*y.seg, lo+y.block*y.seg)
		}
	}
	clearSpan(b, off, y.live(rows), y.size)
}

// clearSpan clears the part of [lo, hi) that b holds. b begins at offset off.
func clearSpan(b []byte, off, lo, hi int64) {
	lo, hi = max(lo-off, 0), min(hi-off, int64(len(b)))
	if lo < hi {
		clear(b[lo:hi])
	}
}

// slabs returns the number of slabs for the given number of rows.
func (y *rowLayout) slabs(rows int64) int64 { return (rows + y.rows - 1) / y.rows }

// place returns the offset of the open slab if the next slab will be at next: see
// openPlace.
func (y *rowLayout) place(next int64, tail span64) int64 {
	at := alignUp(next + y.room())
	if (span64{at, at + y.openRoom()}).meets(tail) {
		at = alignUp(tail.end)
	}
	return at
}

// room returns the largest number of bytes that the finished chunks of a slab take.
func (y *rowLayout) room() int64 { return y.chunks * chunkRoom(y.size) }

// openRoom returns the size of an open slab.
func (y *rowLayout) openRoom() int64 { return openHeader + y.chunks*y.stored() }
