package shuffle

import "encoding/binary"

var le = binary.LittleEndian

// load and store access eight bytes of memory. The first byte is in the lowest eight bits
// of the word.
func load(b []byte, i int) uint64     { return le.Uint64(b[i : i+8]) }
func store(b []byte, i int, x uint64) { le.PutUint64(b[i:i+8], x) }

// gatherGeneric copies items to planes, as transpose describes, eight items at a time.
func gatherGeneric(dst []byte, stride int, src []byte, size, cols, n int) {
	i := 0
	switch {
	case size == 2 && cols == 2:
		i = gather2(dst[:n], dst[stride:stride+n], src[:2*n])
	case size == 4 && cols == 4:
		i = gather4(dst[:n], dst[stride:stride+n], dst[2*stride:2*stride+n], dst[3*stride:3*stride+n], src[:4*n])
	case cols >= 8:
		i = n &^ 7
		transposeTiles(dst, stride, src, size, i, cols)
	case cols == size && size > 2:
		i = gatherNarrow(dst, stride, src, size, n)
	}
	for ; i < n; i++ {
		for j, c := range src[i*size : i*size+cols] {
			dst[j*stride+i] = c
		}
	}
}

// scatterGeneric copies planes to items, as transpose describes, eight items at a time.
// It writes no other bytes of dst.
func scatterGeneric(src []byte, stride int, dst []byte, size, cols, n int) {
	i := 0
	switch {
	case size == 2 && cols == 2:
		i = scatter2(dst[:2*n], src[:n], src[stride:stride+n])
	case size == 4 && cols == 4:
		i = scatter4(dst[:4*n], src[:n], src[stride:stride+n], src[2*stride:2*stride+n], src[3*stride:3*stride+n])
	case cols >= 8:
		i = n &^ 7
		transposeTiles(dst, size, src, stride, cols, i)
	case cols == size && size > 2:
		i = scatterNarrow(dst, size, src, stride, n)
	}
	for ; i < n; i++ {
		item := dst[i*size : i*size+cols]
		for j := range item {
			item[j] = src[j*stride+i]
		}
	}
}

// transposeTiles transposes a matrix of bytes of at least eight rows and columns,
// one of which is a multiple of 8: dst[c*ds+r] = src[r*ss+c]. The last tile of the
// other dimension overlaps the previous one.
func transposeTiles(dst []byte, ds int, src []byte, ss, rows, cols int) {
	for r := 0; r < rows; r += 8 {
		r := min(r, rows-8)
		for c := 0; c < cols; c += 8 {
			c := min(c, cols-8)
			s, d := r*ss+c, c*ds+r
			x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(
				load(src, s), load(src, s+ss), load(src, s+2*ss), load(src, s+3*ss),
				load(src, s+4*ss), load(src, s+5*ss), load(src, s+6*ss), load(src, s+7*ss))
			store(dst, d, x0)
			store(dst, d+ds, x1)
			store(dst, d+2*ds, x2)
			store(dst, d+3*ds, x3)
			store(dst, d+4*ds, x4)
			store(dst, d+5*ds, x5)
			store(dst, d+6*ds, x6)
			store(dst, d+7*ds, x7)
		}
	}
}

// gatherNarrow gathers items of less than eight bytes, eight items at a time, and returns
// the number gathered. It reads eight bytes for each item, some of them from the next
// item. So it stops before these would extend beyond the last item.
func gatherNarrow(dst []byte, stride int, src []byte, size, n int) int {
	var x [8]uint64
	i := 0
	for ; (i+7)*size+8 <= n*size; i += 8 {
		s, d := src[i*size:], dst[i:]
		x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = transpose8x8(
			load(s, 0), load(s, size), load(s, 2*size), load(s, 3*size),
			load(s, 4*size), load(s, 5*size), load(s, 6*size), load(s, 7*size))
		for j := range size {
			store(d, j*stride, x[j])
		}
	}
	return i
}

// scatterNarrow undoes gatherNarrow. It also writes some bytes of the next items, which
// are overwritten later.
func scatterNarrow(dst []byte, size int, src []byte, stride, n int) int {
	var x [8]uint64
	i := 0
	for ; (i+7)*size+8 <= n*size; i += 8 {
		for j := range size {
			x[j] = load(src, j*stride+i)
		}
		x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		d := dst[i*size:]
		store(d, 0, x0)
		store(d, size, x1)
		store(d, 2*size, x2)
		store(d, 3*size, x3)
		store(d, 4*size, x4)
		store(d, 5*size, x5)
		store(d, 6*size, x6)
		store(d, 7*size, x7)
	}
	return i
}

// swap exchanges the bits of b under mask with those of a that are shift positions
// higher.
func swap(a, b, mask uint64, shift int) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}

const (
	evenBytes = 0x00ff00ff00ff00ff // selects every second byte
	evenPairs = 0x0000ffff0000ffff // selects every second pair of bytes
	lowHalf   = 0x00000000ffffffff
)

// transpose8x8 transposes a matrix of 8 by 8 bytes. Each word is a row.
func transpose8x8(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	a, e = swap(a, e, lowHalf, 32)
	b, f = swap(b, f, lowHalf, 32)
	c, g = swap(c, g, lowHalf, 32)
	d, h = swap(d, h, lowHalf, 32)
	a, c = swap(a, c, evenPairs, 16)
	b, d = swap(b, d, evenPairs, 16)
	e, g = swap(e, g, evenPairs, 16)
	f, h = swap(f, h, evenPairs, 16)
	a, b = swap(a, b, evenBytes, 8)
	c, d = swap(c, d, evenBytes, 8)
	e, f = swap(e, f, evenBytes, 8)
	g, h = swap(g, h, evenBytes, 8)
	return a, b, c, d, e, f, g, h
}

// gather2 gathers items of two bytes up to a multiple of 8, and returns their number.
func gather2(d0, d1, src []byte) int {
	n := len(d0) &^ 7
	for i := 0; i < n; i += 8 {
		s := src[2*i : 2*i+16]
		a, b := even(load(s, 0)), even(load(s, 8))
		a, b = a&lowHalf|b<<32, a>>32|b&^lowHalf
		store(d0, i, a)
		store(d1, i, b)
	}
	return n
}

// scatter2 undoes gather2.
func scatter2(dst, s0, s1 []byte) int {
	n := len(s0) &^ 7
	for i := 0; i < n; i += 8 {
		a, b := load(s0, i), load(s1, i)
		a, b = a&lowHalf|b<<32, a>>32|b&^lowHalf
		d := dst[2*i : 2*i+16]
		store(d, 0, uneven(a))
		store(d, 8, uneven(b))
	}
	return n
}

// gather4 gathers items of four bytes up to a multiple of 8, and returns their number.
func gather4(d0, d1, d2, d3, src []byte) int {
	n := len(d0) &^ 7
	for i := 0; i < n; i += 8 {
		s := src[4*i : 4*i+32]
		a, b, c, d := transpose4x8(load(s, 0), load(s, 8), load(s, 16), load(s, 24))
		store(d0, i, a)
		store(d1, i, b)
		store(d2, i, c)
		store(d3, i, d)
	}
	return n
}

// scatter4 undoes gather4.
func scatter4(dst, s0, s1, s2, s3 []byte) int {
	n := len(s0) &^ 7
	for i := 0; i < n; i += 8 {
		a, b, c, d := transpose8x4(load(s0, i), load(s1, i), load(s2, i), load(s3, i))
		t := dst[4*i : 4*i+32]
		store(t, 0, a)
		store(t, 8, b)
		store(t, 16, c)
		store(t, 24, d)
	}
	return n
}

// even moves the bytes at even positions of the word to its lower half and the others to
// its upper half. uneven undoes that.
func even(x uint64) uint64 {
	t := (x>>8 ^ x) & 0x0000ff000000ff00
	x ^= t ^ t<<8
	t = (x>>16 ^ x) & 0x00000000ffff0000
	return x ^ t ^ t<<16
}

func uneven(x uint64) uint64 {
	t := (x>>16 ^ x) & 0x00000000ffff0000
	x ^= t ^ t<<16
	t = (x>>8 ^ x) & 0x0000ff000000ff00
	return x ^ t ^ t<<8
}

// transpose4x8 makes four planes from eight items of four bytes, two items in each word.
// transpose8x4 undoes that.
func transpose4x8(a, b, c, d uint64) (_, _, _, _ uint64) {
	a, c = swap(a, c, lowHalf, 32)
	b, d = swap(b, d, lowHalf, 32)
	a, b = swap(a, b, evenPairs, 16)
	c, d = swap(c, d, evenPairs, 16)
	a, c = swap(a, c, evenBytes, 8)
	b, d = swap(b, d, evenBytes, 8)
	return a, c, b, d
}

func transpose8x4(a, c, b, d uint64) (_, _, _, _ uint64) {
	a, c = swap(a, c, evenBytes, 8)
	b, d = swap(b, d, evenBytes, 8)
	a, b = swap(a, b, evenPairs, 16)
	c, d = swap(c, d, evenPairs, 16)
	a, c = swap(a, c, lowHalf, 32)
	b, d = swap(b, d, lowHalf, 32)
	return a, b, c, d
}
