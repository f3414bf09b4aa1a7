package shuffle

// shuffleGeneric shuffles the items from, from+1 … n-1 of n items.
func shuffleGeneric(dst, src []byte, size, n, from int) {
	for j := range size {
		plane := dst[j*n : (j+1)*n]
		for i := from; i < n; i++ {
			plane[i] = src[i*size+j]
		}
	}
}

// unshuffleGeneric gathers the items from, from+1 … n-1 of n items.
func unshuffleGeneric(dst, src []byte, size, n, from int) {
	for j := range size {
		plane := src[j*n : (j+1)*n]
		for i := from; i < n; i++ {
			dst[i*size+j] = plane[i]
		}
	}
}
