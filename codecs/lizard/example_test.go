package lizard_test

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2/codecs/lizard"
)

func Example() {
	src := bytes.Repeat([]byte("temperature 21.5 C; "), 50)

	var e lizard.Encoder
	block := make([]byte, len(src))
	n := e.Encode(block, src, 41)
	if n == 0 {
		fmt.Println("not smaller")
		return
	}

	var d lizard.Decoder
	back := make([]byte, len(src))
	m, err := d.Decode(back, block[:n])
	fmt.Println(len(src), "bytes in", n, "and back:", m, bytes.Equal(back, src), err)
	// Output: 1000 bytes in 60 and back: 1000 true <nil>
}
