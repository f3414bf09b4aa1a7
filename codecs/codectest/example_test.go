package codectest_test

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
)

// The checks can be run one by one, even outside a test.
func Example() {
	factory := func() codecs.Codec {
		c, _ := codecs.New(blosc2.CodecBloscLZ)
		return c
	}
	for _, check := range codectest.Checks() {
		if err := check.Run(factory, codectest.Options{Lengths: []int{100, 1000}}); err != nil {
			fmt.Println(check.Name, err)
		}
	}
	fmt.Println(len(codectest.Checks()), "checks")
	// Output: 8 checks
}
