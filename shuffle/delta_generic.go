package shuffle

// xorGeneric is XOR for slices of equal length.
func xorGeneric(dst, a, b []byte) {
	n := len(a) &^ 7
	for i := 0; i < n; i += 8 {
		le.PutUint64(dst[i:], le.Uint64(a[i:])^le.Uint64(b[i:]))
	}
	for i := n; i < len(a); i++ {
		dst[i] = a[i] ^ b[i]
	}
}

// undeltaGeneric does Undelta for the bytes that begin at from. The stride bytes before
// these are already decoded.
func undeltaGeneric(dst, src []byte, stride, from int) {
	if stride >= 8 {
		for ; from+8 <= len(src); from += 8 {
			le.PutUint64(dst[from:], le.Uint64(src[from:])^le.Uint64(dst[from-stride:]))
		}
	}
	for i := from; i < len(src); i++ {
		dst[i] = src[i] ^ dst[i-stride]
	}
}

const low7 = 0x7f7f7f7f7f7f7f7f

// byteDeltaGeneric sets dst[i] = src[i+1] - src[i].
func byteDeltaGeneric(dst, src []byte) {
	n := len(dst) &^ 7
	for i := 0; i < n; i += 8 {
		x, y := le.Uint64(src[i+1:]), le.Uint64(src[i:])
		// Set the top bits of all bytes apart, so that the subtraction does not borrow
		// across bytes.
		le.PutUint64(dst[i:], ((x|^uint64(low7))-(y&low7))^((x^^y)&^low7))
	}
	for i := n; i < len(dst); i++ {
		dst[i] = src[i+1] - src[i]
	}
}

// unByteDeltaGeneric does UnByteDelta for bytes that follow others, which have the given
// sum.
func unByteDeltaGeneric(dst, src []byte, sum byte) {
	for i, c := range src {
		sum += c
		dst[i] = sum
	}
}
