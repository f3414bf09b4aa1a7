package shuffle

import "sync"

// BitShuffle gathers the lowest bits of the first bytes of all items, then the next bits
// and so on. Row 8*j+k of the result holds bit k of byte j of every item, eight items per
// byte, the first item in the lowest bit. size is the number of bytes of an item, at
// least 1. Items after the last multiple of eight, and the bytes of an incomplete last
// item, are copied unchanged.
//
// It panics if dst is shorter than src or size is less than 1.
func BitShuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	toPlanes.shuffleBits(dst, src, size, n)
	copy(dst[n*size:], src[n*size:])
}

// BitUnshuffle undoes BitShuffle.
func BitUnshuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	toItems.shuffleBits(src, dst, size, n)
	copy(dst[n*size:], src[n*size:])
}

// shuffleBits copies bits between n items and the rows that BitShuffle makes of them.
func (d *direction) shuffleBits(rows, items []byte, size, n int) {
	row := n / 8
	if size == 1 {
		d.transposeBits(rows, row, items, n, n, 1)
		return
	}
	done := d.shuffleBitsAsm(rows, row, items, size, n)
	if done == n {
		return
	}
	// Bytes are transposed first and then bits, a tile at a time: a number of items, and a
	// number of bytes of each. A tile has 8 KiB, or more if rows compete, because such rows
	// are written faster in longer pieces. Every tile but the last has a multiple of 512
	// items, which are 64 bytes in each row.
	cols, tile := min(size, tileCols), tileItems
	if !competing(row) {
		tile = 8192 / cols &^ 511
	}
	planes := tiles.Get().(*tileBytes)
	defer tiles.Put(planes)
	for i := done; i < n; i += tile {
		k := min(n-i, tile)
		for col := 0; col < size; col += cols {
			col := min(col, size-cols) // the last columns overlap the previous ones
			if d == &toPlanes {
				d.transpose(planes[:], k+planeGap, items[i*size+col:], size, cols, k)
			}
			d.transposeBits(rows[8*col*row+i/8:], row, planes[:], k+planeGap, k, cols)
			if d == &toItems {
				d.transpose(planes[:], k+planeGap, items[i*size+col:(i+k)*size], size, cols, k)
			}
		}
	}
}

const (
	tileCols  = 8
	tileItems = 4096 // largest number; half as many are as fast in BenchmarkKernels
	planeGap  = 64   // bytes between planes, so that they do not use the same sets of the cache
)

// A tileBytes is memory for the planes of a tile. Some implementations need more than
// that, and use the rest.
type tileBytes [2*tileCols*tileItems + 16*planeGap]byte

var tiles = sync.Pool{New: func() any { return new(tileBytes) }}

// competing reports whether planes or rows at the given distance use the same sets of the
// first-level cache. Writing eight of these at once is slow.
func competing(stride int) bool { return stride%4096 == 0 }
