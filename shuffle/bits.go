package shuffle

// BitShuffle gathers the lowest bits of the first bytes of all items, then the
// next bits and so on: row 8*j+k of the result holds bit k of byte j of every
// item, eight items a byte, the first in the lowest bit. size is the number of
// bytes of an item, at least 1. Items behind the last multiple of eight, and
// the bytes of an incomplete last item, are copied as they are.
//
// It panics if dst is shorter than src or size is less than 1.
func BitShuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	copy(dst[n*size:], src[n*size:])
	row := n / 8
	if size == 1 {
		bitRows(dst, row, src[:n])
		return
	}
	cols := min(size, tileCols)
	var planes [tileBytes]byte
	for col := 0; col < size; col += tileCols {
		col := min(col, size-cols) // the last columns overlap those before
		for i := 0; i < n; {
			t := min(n-i, tileBytes/cols&^511)
			gather(planes[:], t, src[i*size+col:], size, cols, t)
			for j := range cols {
				bitRows(dst[8*(col+j)*row+i/8:], row, planes[j*t:(j+1)*t])
			}
			i += t
		}
	}
}

// BitUnshuffle undoes BitShuffle.
func BitUnshuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	row := n / 8
	if size == 1 {
		bitBytes(dst[:n], src, row)
		copy(dst[n:], src[n:])
		return
	}
	cols := min(size, tileCols)
	var planes [tileBytes]byte
	for i := 0; i < n; {
		t := min(n-i, tileBytes/cols&^511)
		for col := 0; col < size; col += tileCols {
			col := min(col, size-cols)
			for j := range cols {
				bitBytes(planes[j*t:(j+1)*t], src[8*(col+j)*row+i/8:], row)
			}
			scatter(dst[i*size+col:], size, planes[:], t, cols, t)
		}
		i += t
	}
	copy(dst[n*size:], src[n*size:])
}

// Bits are transposed in tiles of up to tileCols columns whose planes of bytes
// fit into tileBytes, which leaves room for all else in the first-level cache.
// Every tile but the last has a multiple of 512 items, 64 bytes in each row.
const (
	tileCols  = 8
	tileBytes = 4096
)

// bitRows makes eight rows of a plane of bytes, whose length is a multiple of
// 8: bit i of the row that begins at dst[k*stride] is bit k of plane[i].
func bitRows(dst []byte, stride int, plane []byte) {
	if done := bitRowsAsm(dst, stride, plane); done < len(plane) {
		bitRowsGeneric(dst[done/8:], stride, plane[done:])
	}
}

// bitBytes undoes bitRows.
func bitBytes(plane, src []byte, stride int) {
	if done := bitBytesAsm(plane, src, stride); done < len(plane) {
		bitBytesGeneric(plane[done:], src[done/8:], stride)
	}
}
