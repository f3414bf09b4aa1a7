package shuffle

// bitRowsGeneric is bitRows of one plane.
func bitRowsGeneric(dst []byte, stride int, plane []byte) {
	i := 0
	for ; i+64 <= len(plane); i += 64 {
		p, d := plane[i:i+64], dst[i/8:]
		x0, x1, x2, x3, x4, x5, x6, x7 := transposeBits8x8(transpose8x8(
			le.Uint64(p), le.Uint64(p[8:]), le.Uint64(p[16:]), le.Uint64(p[24:]),
			le.Uint64(p[32:]), le.Uint64(p[40:]), le.Uint64(p[48:]), le.Uint64(p[56:])))
		le.PutUint64(d, x0)
		le.PutUint64(d[stride:], x1)
		le.PutUint64(d[2*stride:], x2)
		le.PutUint64(d[3*stride:], x3)
		le.PutUint64(d[4*stride:], x4)
		le.PutUint64(d[5*stride:], x5)
		le.PutUint64(d[6*stride:], x6)
		le.PutUint64(d[7*stride:], x7)
	}
	for ; i < len(plane); i += 8 {
		x := transposeBits(le.Uint64(plane[i:]))
		for k := range 8 {
			dst[k*stride+i/8] = byte(x >> (8 * k))
		}
	}
}

// bitBytesGeneric is bitBytes of one plane.
func bitBytesGeneric(plane, src []byte, stride int) {
	i := 0
	for ; i+64 <= len(plane); i += 64 {
		p, s := plane[i:i+64], src[i/8:]
		x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(transposeBits8x8(
			le.Uint64(s), le.Uint64(s[stride:]), le.Uint64(s[2*stride:]), le.Uint64(s[3*stride:]),
			le.Uint64(s[4*stride:]), le.Uint64(s[5*stride:]), le.Uint64(s[6*stride:]), le.Uint64(s[7*stride:])))
		le.PutUint64(p, x0)
		le.PutUint64(p[8:], x1)
		le.PutUint64(p[16:], x2)
		le.PutUint64(p[24:], x3)
		le.PutUint64(p[32:], x4)
		le.PutUint64(p[40:], x5)
		le.PutUint64(p[48:], x6)
		le.PutUint64(p[56:], x7)
	}
	for ; i < len(plane); i += 8 {
		var x uint64
		for k := range 8 {
			x |= uint64(src[k*stride+i/8]) << (8 * k)
		}
		le.PutUint64(plane[i:], transposeBits(x))
	}
}

// transposeBits8x8 exchanges bit i of every byte of word k and bit k of the
// same byte of word i.
func transposeBits8x8(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	const nibbles, pairs, bits = 0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555
	a, e = swap(a, e, nibbles, 4)
	b, f = swap(b, f, nibbles, 4)
	c, g = swap(c, g, nibbles, 4)
	d, h = swap(d, h, nibbles, 4)
	a, c = swap(a, c, pairs, 2)
	b, d = swap(b, d, pairs, 2)
	e, g = swap(e, g, pairs, 2)
	f, h = swap(f, h, pairs, 2)
	a, b = swap(a, b, bits, 1)
	c, d = swap(c, d, bits, 1)
	e, f = swap(e, f, bits, 1)
	g, h = swap(g, h, bits, 1)
	return a, b, c, d, e, f, g, h
}

// transposeBits transposes a matrix of 8 by 8 bits, a row a byte.
func transposeBits(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}
