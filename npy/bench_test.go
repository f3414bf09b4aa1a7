package npy

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

func BenchmarkCOrder(b *testing.B) {
	for _, dtype := range []string{"|u1", "<f4", "<f8", "<c16"} {
		h := Header{DType: dtype, Shape: []int64{1000, 700}, Fortran: true}
		size, err := h.Size()
		if err != nil {
			b.Fatal(err)
		}
		file, err := h.Append(nil)
		if err != nil {
			b.Fatal(err)
		}
		file = append(file, make([]byte, size)...)
		b.Run(fmt.Sprintf("dtype=%s", dtype), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(file))
				if err != nil {
					b.Fatal(err)
				}
				c, err := r.COrder(size)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
