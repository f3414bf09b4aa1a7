package shuffle

// ClearLow clears the low bits of every little-endian item of size bytes. size
// is 1, 2, 4 or 8, and bits less than 8*size. The bytes of an incomplete last
// item are copied. dst may be src.
func ClearLow(dst, src []byte, size, bits int) {
	dst = dst[:len(src)]
	m := ^uint64(0) >> (64 - 8*size) &^ (1<<bits - 1)
	for have := size; have < 8; have *= 2 {
		m |= m << (8 * have)
	}
	end := len(src) / size * size
	maskGeneric(dst[:end], src, m, 0)
	copy(dst[end:], src[end:])
}
