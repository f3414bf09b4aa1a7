package tune

import (
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// wide returns an image of 8 bits a value, converted to 16.
func wide(n int) []byte {
	r := rand.New(rand.NewPCG(9, 9))
	b, v := make([]byte, 2*n), byte(100)
	for i := 0; i < len(b); i += 2 {
		v += byte(r.IntN(31)) - 15
		b[i], b[i+1] = v, v
	}
	return b
}

// The planes of such an image are equal, so they are not split, and blocks for LZ4 are so short
// that its window holds both: at most half of the data remains.
func TestTwins(t *testing.T) {
	data := wide(1 << 19)
	p := chunk.Default()
	p.TypeSize = 2
	for _, aim := range []Aim{Memory, Disk, Balanced, WAN, Archive} {
		pick, err := Search{Aim: aim, Params: p, Keep: KeepTypeSize}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		if n := stored(t, data, pick.Params); n > len(data)*52/100 || pick.Params.Split != blosc2.SplitNever {
			t.Errorf("%v: %d of %d bytes with %+v", aim, n, len(data), pick.Params)
		}
	}
	for name, data := range map[string][]byte{"zeros": make([]byte, 1<<16), "table": table(1000, 2, 2, 100), "short": data[:100]} {
		if haveTwins([][]byte{data}) {
			t.Errorf("%s have twins", name)
		}
	}
}
