package ndlz_test

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2/codecs/ndlz"
)

func Example() {
	// This compresses an 8 × 8 block of a picture with two values: dark above, light
	// below.
	block := append(bytes.Repeat([]byte{10}, 32), bytes.Repeat([]byte{200}, 32)...)
	var e ndlz.Encoder
	stream := make([]byte, len(block))
	n, err := e.Encode(stream, block, 4, 8, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	back := make([]byte, len(block))
	err = ndlz.Decode(back, stream[:n], 4)
	fmt.Println(len(block), "bytes in", n, "and back:", bytes.Equal(back, block), err)
	// Output: 64 bytes in 17 and back: true <nil>
}
