package shuffle

// maskGeneric sets dst to src AND the mask, which repeats every eight bytes. The lowest
// eight bits of the mask apply to the first byte.
func maskGeneric(dst, src []byte, mask uint64) {
	n := len(src) &^ 7
	for i := 0; i < n; i += 8 {
		le.PutUint64(dst[i:], le.Uint64(src[i:])&mask)
	}
	for i := n; i < len(src); i++ {
		dst[i] = src[i] & byte(mask>>(8*(i-n)))
	}
}
