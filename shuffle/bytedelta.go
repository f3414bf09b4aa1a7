package shuffle

// ShuffleDelta applies Shuffle, and then ByteDelta to each of the size planes. If
// FusesDelta(size) is true it does so in one pass over the items.
func ShuffleDelta(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size
	for i := toPlanes.deltaAsm(dst, n, src, size); i < n; i++ {
		for j, c := range src[i*size : (i+1)*size] {
			if i > 0 {
				c -= src[(i-1)*size+j]
			}
			dst[j*n+i] = c
		}
	}
	copy(dst[n*size:], src[n*size:])
}

// UnshuffleDelta undoes ShuffleDelta.
func UnshuffleDelta(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size
	for i := toItems.deltaAsm(src, n, dst, size); i < n; i++ {
		for j := range size {
			c := src[j*n+i]
			if i > 0 {
				c += dst[(i-1)*size+j]
			}
			dst[i*size+j] = c
		}
	}
	copy(dst[n*size:], src[n*size:])
}
