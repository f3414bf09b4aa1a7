package npy

import (
	"bytes"
	"io"
)

// A transposer reads an array in Fortran order and gives it in C order.
type transposer struct {
	src    io.Reader
	header *Header
	size   int64
	sorted *bytes.Reader // nil until the first Read
}

// Read implements io.Reader.
func (t *transposer) Read(p []byte) (int, error) {
	if t.sorted == nil {
		// Grown as bytes arrive: a header may say more than follows.
		var in bytes.Buffer
		if n, err := io.Copy(&in, io.LimitReader(t.src, t.size)); err != nil || n < t.size {
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		t.sorted = bytes.NewReader(toC(in.Bytes(), t.header.Shape, t.header.DType.Size))
	}
	return t.sorted.Read(p)
}

// toC puts items from Fortran order into C order.
func toC(src []byte, shape []int64, item int) []byte {
	dst := make([]byte, 0, len(src))
	strides := make([]int, len(shape)) // in src, of each dimension
	step := item
	for d, n := range shape {
		strides[d] = step
		step *= int(n)
	}
	index := make([]int64, len(shape))
	at := 0
	for len(dst) < len(src) {
		dst = append(dst, src[at:at+item]...)
		for d := len(shape) - 1; d >= 0; d-- {
			index[d]++
			at += strides[d]
			if index[d] < shape[d] {
				break
			}
			at -= strides[d] * int(shape[d])
			index[d] = 0
		}
	}
	return dst
}
