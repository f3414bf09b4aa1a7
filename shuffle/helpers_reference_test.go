package shuffle

import "bytes"

// These are the simplest implementations of the kernels, with which all others are
// compared.

func refShuffle(dst, src []byte, size int) {
	n := len(src) / size
	copy(dst, src)
	for i := range n {
		for j := range size {
			dst[j*n+i] = src[i*size+j]
		}
	}
}

func refUnshuffle(dst, src []byte, size int) {
	n := len(src) / size
	copy(dst, src)
	for i := range n {
		for j := range size {
			dst[i*size+j] = src[j*n+i]
		}
	}
}

func refBitShuffle(dst, src []byte, size int) {
	n := len(src) / size &^ 7
	copy(dst, src)
	clear(dst[:n*size])
	for i := range n {
		for bit := range 8 * size {
			v := src[i*size+bit/8] >> (bit % 8) & 1
			dst[bit*(n/8)+i/8] |= v << (i % 8)
		}
	}
}

func refBitUnshuffle(dst, src []byte, size int) {
	n := len(src) / size &^ 7
	copy(dst, src)
	clear(dst[:n*size])
	for i := range n {
		for bit := range 8 * size {
			v := src[bit*(n/8)+i/8] >> (i % 8) & 1
			dst[i*size+bit/8] |= v << (bit % 8)
		}
	}
}

func refDelta(dst, src []byte, stride int) {
	for i := range src {
		dst[i] = src[i]
		if i >= stride {
			dst[i] ^= src[i-stride]
		}
	}
}

func refUndelta(dst, src []byte, stride int) {
	for i := range src {
		dst[i] = src[i]
		if i >= stride {
			dst[i] ^= dst[i-stride]
		}
	}
}

func refByteDelta(dst, src []byte, _ int) {
	for i := range src {
		dst[i] = src[i]
		if i > 0 {
			dst[i] -= src[i-1]
		}
	}
}

func refUnByteDelta(dst, src []byte, _ int) {
	for i := range src {
		dst[i] = src[i]
		if i > 0 {
			dst[i] += dst[i-1]
		}
	}
}

func refShuffleDelta(dst, src []byte, size int) {
	planes := make([]byte, len(src))
	refShuffle(planes, src, size)
	copy(dst, planes)
	for n, i := len(src)/size, 0; i < n*size; i += n {
		refByteDelta(dst[i:i+n], planes[i:i+n], 1)
	}
}

func refUnshuffleDelta(dst, src []byte, size int) {
	planes := bytes.Clone(src)
	for n, i := len(src)/size, 0; i < n*size; i += n {
		refUnByteDelta(planes[i:i+n], src[i:i+n], 1)
	}
	refUnshuffle(dst, planes, size)
}
