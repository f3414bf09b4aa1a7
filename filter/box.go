package filter

import (
	"strconv"

	"github.com/seed03b80dae/blosc2/meta"
)

// A box describes how the only chunk of an array is cut into blocks: see
// docs/format/b2nd.md §3. Blocks are in C order, and are padded to their full size.
type box struct {
	n          int // number of dimensions
	item       int // bytes of an item
	shape      [meta.MaxDims]int
	block      [meta.MaxDims]int
	blocks     [meta.MaxDims]int // number of blocks along each dimension
	stride     [meta.MaxDims]int // bytes from an item to the next one along each dimension, in the array
	inner      [meta.MaxDims]int // the same, in a block
	blockBytes int
	count      int // number of blocks
}

// set computes the other fields from valid shapes.
func (b *box) set(shape []int64, chunk, block []int32, item int) {
	b.n, b.item, b.blockBytes, b.count = len(shape), item, item, 1
	flat := item
	for d := b.n - 1; d >= 0; d-- {
		b.shape[d], b.block[d] = int(shape[d]), int(block[d])
		b.blocks[d] = (int(chunk[d])-1)/b.block[d] + 1
		b.stride[d], b.inner[d] = flat, b.blockBytes
		flat *= b.shape[d]
		b.blockBytes *= b.block[d]
		b.count *= b.blocks[d]
	}
}

// bytes returns the number of bytes of the array, without padding.
func (b *box) bytes() int {
	n := b.item
	for _, d := range b.shape[:b.n] {
		n *= d
	}
	return n
}

// whole reports whether the chunk is one block without padding, so that its
// bytes are in C order.
func (b *box) whole() bool {
	return b.count == 1 && b.blockBytes == b.bytes()
}

// inside reports whether block i holds any items of the array; otherwise it holds only
// padding.
func (b *box) inside(i int) bool {
	for d := b.n - 1; d >= 0; d-- {
		if i%b.blocks[d]*b.block[d] >= b.shape[d] {
			return false
		}
		i /= b.blocks[d]
	}
	return true
}

// copy copies the items of block i between flat, the array in C order, and the block. The
// block must hold some items of the array.
func (b *box) copy(flat, block []byte, i int, intoBlock bool) {
	var length, at [meta.MaxDims]int // extent of the block within the array; indices of the current row
	from := 0                        // offset of the current row in flat
	for d := b.n - 1; d >= 0; d-- {
		first := i % b.blocks[d] * b.block[d]
		i /= b.blocks[d]
		length[d] = min(b.block[d], b.shape[d]-first)
		from += first * b.stride[d]
	}
	last := b.n - 1
	row := length[last] * b.item
	for to := 0; ; {
		if intoBlock {
			copy(block[to:to+row], flat[from:])
		} else {
			copy(flat[from:from+row], block[to:])
		}
		d := last - 1
		for ; d >= 0; d-- {
			at[d]++
			from += b.stride[d]
			to += b.inner[d]
			if at[d] < length[d] {
				break
			}
			from -= at[d] * b.stride[d]
			to -= at[d] * b.inner[d]
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// blockTarget is the size that blocks of arrays should have, in bytes, as in the
// filter of PyTables.
const blockTarget = 256 << 10

// blockShape chooses the shape of a block as the filter of PyTables does. It begins with
// 2 items along each dimension. Then it doubles the dimensions, the last ones first, as
// long as the block has no more than blockTarget bytes.
func blockShape(dst []int32, shape []uint32, item int) {
	target, items := blockTarget/item, 1
	for d, n := range shape {
		dst[d] = int32(min(n, 2))
		items *= int(dst[d])
	}
	for before := 0; before != items && items < target; {
		before = items
		for d := len(shape) - 1; d >= 0; d-- {
			now, all := int(dst[d]), int(shape[d])
			next := now
			switch {
			case 2*now > all:
				next = all
			case 2*items <= target:
				next = 2 * now
			}
			items = items / now * next
			dst[d] = int32(next)
		}
	}
}

// opaque is the dtype of items whose type is known only to HDF5. The frame holds their
// size.
func opaque(item int) string { return "|V" + strconv.Itoa(item) }
