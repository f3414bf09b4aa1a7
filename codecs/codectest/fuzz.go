package codectest

import (
	"testing"

	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// maxFuzzed bounds the size that a fuzzer may request, so that each run is quick.
const maxFuzzed = 1 << 20

// Fuzz decodes the fuzzer's input as a stream of size bytes, and uses the same
// bytes as data for a round trip. The seeds are valid streams.
func Fuzz(f *testing.F, factory func() codecs.Codec, o Options) {
	f.Helper()
	c, p := factory(), o.params()[0]
	lengths := o.Lengths
	if lengths == nil {
		lengths = []int{30, 300}
	}
	for _, n := range lengths {
		for _, s := range Shapes() {
			data := s.Data(n)
			stream, err := encode(c, data, bound(n), p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(stream, uint32(n))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint32) {
		defer b2test.Cost(t)()
		if err := survive(c, input, int(size%maxFuzzed), p); err != nil {
			t.Fatal(err)
		}
		if o.Lengths != nil {
			return // a codec with limited Lengths does not support every input
		}
		if _, err := o.roundTrip(c, input, len(input), p); err != nil {
			t.Fatal(err)
		}
	})
}
