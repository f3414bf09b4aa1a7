package shuffle

import "encoding/binary"

var le = binary.LittleEndian

// gatherGeneric is gather, eight items at a time.
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

// scatterGeneric is scatter, eight items at a time.
func scatterGeneric(dst []byte, size int, src []byte, stride, cols, n int) {
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

// transposeTiles transposes a matrix of bytes of at least eight rows and
// columns, one of which is a multiple of 8: dst[c*ds+r] = src[r*ss+c]. The last
// tile of the other dimension overlaps the one before.
func transposeTiles(dst []byte, ds int, src []byte, ss, rows, cols int) {
	for r := 0; r < rows; r += 8 {
		r := min(r, rows-8)
		for c := 0; c < cols; c += 8 {
			c := min(c, cols-8)
			s, d := src[r*ss+c:], dst[c*ds+r:]
			x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(
				le.Uint64(s), le.Uint64(s[ss:]), le.Uint64(s[2*ss:]), le.Uint64(s[3*ss:]),
				le.Uint64(s[4*ss:]), le.Uint64(s[5*ss:]), le.Uint64(s[6*ss:]), le.Uint64(s[7*ss:]))
			le.PutUint64(d, x0)
			le.PutUint64(d[ds:], x1)
			le.PutUint64(d[2*ds:], x2)
			le.PutUint64(d[3*ds:], x3)
			le.PutUint64(d[4*ds:], x4)
			le.PutUint64(d[5*ds:], x5)
			le.PutUint64(d[6*ds:], x6)
			le.PutUint64(d[7*ds:], x7)
		}
	}
}

// gatherNarrow gathers items of less than eight bytes: it reads eight, some of
// them of the next item. It stops at a multiple of 8 where these would end
// behind the last item, and tells where.
func gatherNarrow(dst []byte, stride int, src []byte, size, n int) int {
	var x [8]uint64
	i := 0
	for ; (i+7)*size+8 <= n*size; i += 8 {
		s, d := src[i*size:], dst[i:]
		x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = transpose8x8(
			le.Uint64(s), le.Uint64(s[size:]), le.Uint64(s[2*size:]), le.Uint64(s[3*size:]),
			le.Uint64(s[4*size:]), le.Uint64(s[5*size:]), le.Uint64(s[6*size:]), le.Uint64(s[7*size:]))
		for j := range size {
			le.PutUint64(d[j*stride:], x[j])
		}
	}
	return i
}

// scatterNarrow undoes gatherNarrow. The bytes that it writes too many are
// those of the next items, which are not done yet.
func scatterNarrow(dst []byte, size int, src []byte, stride, n int) int {
	var x [8]uint64
	i := 0
	for ; (i+7)*size+8 <= n*size; i += 8 {
		for j := range size {
			x[j] = le.Uint64(src[j*stride+i:])
		}
		x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		d := dst[i*size:]
		le.PutUint64(d, x0)
		le.PutUint64(d[size:], x1)
		le.PutUint64(d[2*size:], x2)
		le.PutUint64(d[3*size:], x3)
		le.PutUint64(d[4*size:], x4)
		le.PutUint64(d[5*size:], x5)
		le.PutUint64(d[6*size:], x6)
		le.PutUint64(d[7*size:], x7)
	}
	return i
}

// swap exchanges the bits of b under mask with those of a that are shift
// places higher.
func swap(a, b, mask uint64, shift int) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}

const (
	oddless8  = 0x00ff00ff00ff00ff // every second byte
	oddless16 = 0x0000ffff0000ffff // every second pair of bytes
	oddless32 = 0x00000000ffffffff
)

// transpose8x8 transposes a matrix of 8 by 8 bytes, a row a word.
func transpose8x8(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	a, e = swap(a, e, oddless32, 32)
	b, f = swap(b, f, oddless32, 32)
	c, g = swap(c, g, oddless32, 32)
	d, h = swap(d, h, oddless32, 32)
	a, c = swap(a, c, oddless16, 16)
	b, d = swap(b, d, oddless16, 16)
	e, g = swap(e, g, oddless16, 16)
	f, h = swap(f, h, oddless16, 16)
	a, b = swap(a, b, oddless8, 8)
	c, d = swap(c, d, oddless8, 8)
	e, f = swap(e, f, oddless8, 8)
	g, h = swap(g, h, oddless8, 8)
	return a, b, c, d, e, f, g, h
}

// gather2 does the items up to a multiple of 8, and tells how many these were.
func gather2(d0, d1, src []byte) int {
	n := len(d0) &^ 7
	for i := 0; i < n; i += 8 {
		s := src[2*i : 2*i+16]
		a, b := even(le.Uint64(s)), even(le.Uint64(s[8:]))
		a, b = a&oddless32|b<<32, a>>32|b&^oddless32
		le.PutUint64(d0[i:], a)
		le.PutUint64(d1[i:], b)
	}
	return n
}

// scatter2 undoes gather2.
func scatter2(dst, s0, s1 []byte) int {
	n := len(s0) &^ 7
	for i := 0; i < n; i += 8 {
		a, b := le.Uint64(s0[i:]), le.Uint64(s1[i:])
		a, b = a&oddless32|b<<32, a>>32|b&^oddless32
		d := dst[2*i : 2*i+16]
		le.PutUint64(d, uneven(a))
		le.PutUint64(d[8:], uneven(b))
	}
	return n
}

// gather4 does the items up to a multiple of 8, and tells how many these were.
func gather4(d0, d1, d2, d3, src []byte) int {
	n := len(d0) &^ 7
	for i := 0; i < n; i += 8 {
		s := src[4*i : 4*i+32]
		a, b, c, d := transpose4x8(le.Uint64(s), le.Uint64(s[8:]), le.Uint64(s[16:]), le.Uint64(s[24:]))
		le.PutUint64(d0[i:], a)
		le.PutUint64(d1[i:], b)
		le.PutUint64(d2[i:], c)
		le.PutUint64(d3[i:], d)
	}
	return n
}

// scatter4 undoes gather4.
func scatter4(dst, s0, s1, s2, s3 []byte) int {
	n := len(s0) &^ 7
	for i := 0; i < n; i += 8 {
		a, b, c, d := transpose8x4(le.Uint64(s0[i:]), le.Uint64(s1[i:]), le.Uint64(s2[i:]), le.Uint64(s3[i:]))
		t := dst[4*i : 4*i+32]
		le.PutUint64(t, a)
		le.PutUint64(t[8:], b)
		le.PutUint64(t[16:], c)
		le.PutUint64(t[24:], d)
	}
	return n
}

// even moves the bytes at even places into the lower half of the word and the
// others into the upper; uneven undoes it.
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

// transpose4x8 makes four planes of eight items of four bytes, two a word;
// transpose8x4 undoes it.
func transpose4x8(a, b, c, d uint64) (_, _, _, _ uint64) {
	a, c = swap(a, c, oddless32, 32)
	b, d = swap(b, d, oddless32, 32)
	a, b = swap(a, b, oddless16, 16)
	c, d = swap(c, d, oddless16, 16)
	a, c = swap(a, c, oddless8, 8)
	b, d = swap(b, d, oddless8, 8)
	return a, c, b, d
}

func transpose8x4(a, c, b, d uint64) (_, _, _, _ uint64) {
	a, c = swap(a, c, oddless8, 8)
	b, d = swap(b, d, oddless8, 8)
	a, b = swap(a, b, oddless16, 16)
	c, d = swap(c, d, oddless16, 16)
	a, c = swap(a, c, oddless32, 32)
	b, d = swap(b, d, oddless32, 32)
	return a, b, c, d
}
