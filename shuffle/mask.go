package shuffle

// ClearLow clears the low bits of every little-endian item of size bytes. size must be 1,
// 2, 4 or 8, and bits at least 0 and less than 8*size. The bytes of an incomplete last
// item are copied. dst may be src.
func ClearLow(dst, src []byte, size, bits int) {
	dst = dst[:len(src)]
	mask := ^uint64(0) >> (64 - 8*size) &^ (1<<bits - 1)
	for have := size; have < 8; have *= 2 {
		mask |= mask << (8 * have)
	}
	end := len(src) / size * size
	done := steps(end, flat.step)
	if done > 0 {
		flat.mask(&dst[0], &src[0], mask, done)
	}
	maskGeneric(dst[done:end], src[done:end], mask)
	copy(dst[end:], src[end:])
}
