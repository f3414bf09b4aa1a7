package shuffle

// maskGeneric ands the bytes from, from+1 … with the mask that m holds, the
// first byte in the lowest eight bits; from is a multiple of 8.
func maskGeneric(dst, src []byte, m uint64, from int) {
	for i := from; i < len(dst); i++ {
		dst[i] = src[i] & byte(m>>(8*(i%8)))
	}
}
