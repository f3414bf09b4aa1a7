package shuffle

// bitRowsGeneric is bitRows.
func bitRowsGeneric(dst []byte, stride int, plane []byte) {
	i := 0
	for ; i+64 <= len(plane); i += 64 {
		p, d := plane[i:i+64], dst[i/8:]
		x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(
			transposeBits(le.Uint64(p)), transposeBits(le.Uint64(p[8:])), transposeBits(le.Uint64(p[16:])), transposeBits(le.Uint64(p[24:])),
			transposeBits(le.Uint64(p[32:])), transposeBits(le.Uint64(p[40:])), transposeBits(le.Uint64(p[48:])), transposeBits(le.Uint64(p[56:])))
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

// bitBytesGeneric is bitBytes.
func bitBytesGeneric(plane, src []byte, stride int) {
	i := 0
	for ; i+64 <= len(plane); i += 64 {
		p, s := plane[i:i+64], src[i/8:]
		x0, x1, x2, x3, x4, x5, x6, x7 := transpose8x8(
			le.Uint64(s), le.Uint64(s[stride:]), le.Uint64(s[2*stride:]), le.Uint64(s[3*stride:]),
			le.Uint64(s[4*stride:]), le.Uint64(s[5*stride:]), le.Uint64(s[6*stride:]), le.Uint64(s[7*stride:]))
		le.PutUint64(p, transposeBits(x0))
		le.PutUint64(p[8:], transposeBits(x1))
		le.PutUint64(p[16:], transposeBits(x2))
		le.PutUint64(p[24:], transposeBits(x3))
		le.PutUint64(p[32:], transposeBits(x4))
		le.PutUint64(p[40:], transposeBits(x5))
		le.PutUint64(p[48:], transposeBits(x6))
		le.PutUint64(p[56:], transposeBits(x7))
	}
	for ; i < len(plane); i += 8 {
		var x uint64
		for k := range 8 {
			x |= uint64(src[k*stride+i/8]) << (8 * k)
		}
		le.PutUint64(plane[i:], transposeBits(x))
	}
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
