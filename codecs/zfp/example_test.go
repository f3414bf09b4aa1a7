package zfp_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed03b80dae/blosc2/codecs/zfp"
)

// A block of 16 × 16 numbers is compressed with an error of at most a thousandth.
func Example() {
	block := make([]byte, 0, 16*16*4)
	for i := range 16 * 16 {
		x := math.Sin(float64(i%16)/5) * math.Cos(float64(i/16)/7)
		block = binary.LittleEndian.AppendUint32(block, math.Float32bits(float32(x)))
	}
	power := -3
	p := zfp.Params{Mode: zfp.Accuracy, Meta: uint8(int8(power)), TypeSize: 4, Shape: []int32{16, 16}}

	var c zfp.Coder
	stream := make([]byte, len(block))
	n, err := c.Encode(stream, block, p)
	if err != nil || n == 0 {
		fmt.Println("not coded:", err)
		return
	}
	back := make([]byte, len(block))
	if err := c.Decode(back, stream[:n], p); err != nil {
		fmt.Println(err)
		return
	}
	worst := 0.0
	for i := 0; i < len(block); i += 4 {
		x := math.Float32frombits(binary.LittleEndian.Uint32(block[i:]))
		y := math.Float32frombits(binary.LittleEndian.Uint32(back[i:]))
		worst = max(worst, math.Abs(float64(x-y)))
	}
	fmt.Println(len(block), "bytes in", n, "— within 0.001:", worst <= 0.001)
	// Output: 1024 bytes in 240 — within 0.001: true
}
