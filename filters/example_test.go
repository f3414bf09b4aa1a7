package filters_test

import (
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/filters"
)

// The block has four little-endian numbers of two bytes. After delta their differences
// are small, and shuffle groups the zeros of their upper bytes.
func Example() {
	p, err := filters.Parse("delta,shuffle")
	if err != nil {
		log.Fatal(err)
	}
	block := []byte{0x10, 0x27, 0x11, 0x27, 0x13, 0x27, 0x12, 0x27} // the numbers 10000, 10001, 10003, 10002
	prm := filters.Params{TypeSize: 2}
	tmp := make([]byte, len(block))

	filtered, err := p.Forward(make([]byte, len(block)), tmp, block, prm)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("% x\n", filtered)

	back := make([]byte, len(block))
	if err := p.Backward(back, tmp, filtered, prm); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("% x\n", back)
	// Output:
	// 10 01 02 01 27 00 00 00
	// 10 27 11 27 13 27 12 27
}

func ExampleParse() {
	p, err := filters.Parse("trunc_prec:10,shuffle")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.IDs, p.Metas[0], p.Lossy())
	fmt.Println(p.Validate(4))
	fmt.Println(p.Validate(3))
	// Output:
	// [trunc_prec none none none none shuffle] 10 true
	// <nil>
	// blosc2: typesize for filter trunc_prec 3: must be 4 or 8 for trunc_prec; 1, 2, 4 or 8 for int_trunc
}
