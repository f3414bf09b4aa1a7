package shuffle

// transpose8 transposes a matrix of 8 by 8 bits, a row a byte.
func transpose8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// bitShuffleGeneric shuffles the items from, from+1 … n-1 of n items; both are
// multiples of 8.
func bitShuffleGeneric(dst, src []byte, size, n, from int) {
	row := n / 8
	for i := from; i < n; i += 8 {
		for j := range size {
			var x uint64
			for k := range 8 {
				x |= uint64(src[(i+k)*size+j]) << (8 * k)
			}
			x = transpose8(x)
			for k := range 8 {
				dst[(8*j+k)*row+i/8] = byte(x >> (8 * k))
			}
		}
	}
}

// bitUnshuffleGeneric gathers the items from, from+1 … n-1 of n items; both
// are multiples of 8.
func bitUnshuffleGeneric(dst, src []byte, size, n, from int) {
	row := n / 8
	for i := from; i < n; i += 8 {
		for j := range size {
			var x uint64
			for k := range 8 {
				x |= uint64(src[(8*j+k)*row+i/8]) << (8 * k)
			}
			x = transpose8(x)
			for k := range 8 {
				dst[(i+k)*size+j] = byte(x >> (8 * k))
			}
		}
	}
}
