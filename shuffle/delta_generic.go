package shuffle

func xorGeneric(dst, a, b []byte) {
	for i := range a {
		dst[i] = a[i] ^ b[i]
	}
}

// undeltaGeneric undoes Delta for the bytes from, from+1 …, where from is at
// least stride.
func undeltaGeneric(dst, src []byte, stride, from int) {
	for i := from; i < len(src); i++ {
		dst[i] = src[i] ^ dst[i-stride]
	}
}
