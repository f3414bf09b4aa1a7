package shuffle

// bitRowsGeneric does transposeBits from one plane to eight rows.
func bitRowsGeneric(dst []byte, stride int, plane []byte) {
	i := 0
	for ; i+64 <= len(plane); i += 64 {
		p, d := plane[i:i+64], dst[i/8:]
		x0, x1, x2, x3, x4, x5, x6, x7 := transposeBits8x8(transpose8x8(
			load(p, 0), load(p, 8), load(p, 16), load(p, 24),
			load(p, 32), load(p, 40), load(p, 48), load(p, 56)))
		store(d, 0, x0)
		store(d, stride, x1)
		store(d, 2*stride, x2)
		store(d, 3*stride, x3)
		store(d, 4*stride, x4)
		store(d, 5*stride, x5)
		store(d, 6*stride, x6)
		store(d, 7*stride, x7)
	}
	for ; i < len(plane); i += 8 {
		x := transposeBits(load(plane, i))
		for k := range 8 {
			dst[k*stride+i/8] = byte(x >> (8 * k))
		}
	}
}

// bitBytesGeneric does transposeBits from eight rows to one plane.
func bitBytesGeneric(src []byte, stride int, plane []byte) {
	i := 0
	for ; i+64 <= len(plane); i += 64 {
		p, s := plane[i:i+64], src[i/8:]
		x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(transposeBits8x8(
			load(s, 0), load(s, stride), load(s, 2*stride), load(s, 3*stride),
			load(s, 4*stride), load(s, 5*stride), load(s, 6*stride), load(s, 7*stride)))
		store(p, 0, x0)
		store(p, 8, x1)
		store(p, 16, x2)
		store(p, 24, x3)
		store(p, 32, x4)
		store(p, 40, x5)
		store(p, 48, x6)
		store(p, 56, x7)
	}
	for ; i < len(plane); i += 8 {
		var x uint64
		for k := range 8 {
			x |= uint64(src[k*stride+i/8]) << (8 * k)
		}
		store(plane, i, transposeBits(x))
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

// transposeBits transposes a matrix of 8 by 8 bits. Each byte of the word is a row.
func transposeBits(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}
