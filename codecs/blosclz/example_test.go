package blosclz_test

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2/codecs/blosclz"
)

func Example() {
	src := bytes.Repeat([]byte("abc"), 30)
	dst := make([]byte, len(src))

	var enc blosclz.Encoder
	n := enc.Encode(dst, src, 5)
	fmt.Printf("% x\n", dst[:n])

	back := make([]byte, len(src))
	m, err := blosclz.Decode(back, dst[:n])
	fmt.Println(m, err, bytes.Equal(back, src))
	// Output:
	// 25 61 62 63 61 62 63 e0 48 05 02 61 62 63
	// 90 <nil> true
}
