package chunk_test

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// TestAllocations checks that in steady state encoding and decoding a chunk does not
// allocate.
func TestAllocations(t *testing.T) {
	src := payload(200000, 4, 1)
	for _, id := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd} {
		for _, list := range []string{"", "shuffle", "bitshuffle", "delta,shuffle"} {
			p := chunk.Params{Codec: id, Level: 5, TypeSize: 4, Filters: pipeline(t, list)}
			e, err := chunk.NewEncoder(p)
			if err != nil {
				t.Fatal(err)
			}
			c := make([]byte, 0, chunk.Bound(len(src)))
			encode := func() {
				if c, err = e.Encode(c[:0], src); err != nil {
					t.Fatal(err)
				}
			}
			var d chunk.Decoder
			dst := make([]byte, 0, len(src))
			decode := func() {
				if _, err := d.Decode(dst, c); err != nil {
					t.Fatal(err)
				}
			}
			part := func() {
				if err := d.DecodeRange(dst[:1000], c, 150001); err != nil {
					t.Fatal(err)
				}
			}
			what := fmt.Sprintf("%s after %q", id, list)
			encode()
			if n := testing.AllocsPerRun(10, encode); n != 0 {
				t.Errorf("%s: encoding allocates %v times", what, n)
			}
			decode()
			part()
			if n := testing.AllocsPerRun(10, decode); n != 0 {
				t.Errorf("%s: decoding allocates %v times", what, n)
			}
			if n := testing.AllocsPerRun(10, part); n != 0 {
				t.Errorf("%s: decoding a range allocates %v times", what, n)
			}
		}
	}
}
