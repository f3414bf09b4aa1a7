package codecs_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// Values that repeat as a whole are found if Params says that items are whole: the stream
// is shorter at fast levels, and encoding it allocates nothing.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	var src []byte
	for range 1 << 15 {
		src = binary.LittleEndian.AppendUint64(src, r.Uint64N(100)*0x9e3779b97f4a7c15)
	}
	dst, back := make([]byte, len(src)), make([]byte, len(src))
	for _, id := range []blosc2.CodecID{blosc2.CodecLZ4HC, blosc2.CodecZstd} {
		for _, level := range []int{1, 9} {
			c, err := codecs.New(id)
			if err != nil {
				t.Fatal(err)
			}
			bytewise, err := c.Encode(dst, src, codecs.Params{Level: level, TypeSize: 8})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			allocs := testing.AllocsPerRun(3, func() {
				n, err = c.Encode(dst, src, codecs.Params{Level: level, TypeSize: 8, Values: true})
			})
			most := bytewise - 1
			if level == 9 { // the search by bytes is thorough, too
				most += bytewise / 100
			}
			if err != nil || n > most || allocs > 0 {
				t.Errorf("%v %d: %d bytes, %d by bytes, %.0f allocations, %v", id, level, n, bytewise, allocs, err)
			}
			if _, err := c.Decode(back, dst[:n], codecs.Params{TypeSize: 8}); err != nil || string(back) != string(src) {
				t.Errorf("%v %d: does not come back, %v", id, level, err)
			}
		}
	}
}
