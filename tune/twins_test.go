package tune

import (
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// wide returns an image of 8 bits a value, converted to 16. Values change by up to half of step.
func wide(n, step int) []byte {
	r := rand.New(rand.NewPCG(9, 9))
	b, v := make([]byte, 2*n), byte(100)
	for i := 0; i < len(b); i += 2 {
		v += byte(r.IntN(step+1) - step/2)
		b[i], b[i+1] = v, v
	}
	return b
}

// The planes of such an image are equal, so they are not split, and blocks for LZ4 are so short
// that its window holds both: at most half of the data remains.
func TestTwins(t *testing.T) {
	p := chunk.Default()
	p.TypeSize = 2
	for _, step := range []int{4, 10, 30} {
		data := wide(1<<19, step)
		for _, aim := range []Aim{Memory, Disk, Balanced, WAN, Archive} {
			pick, err := Search{Aim: aim, Params: p, Keep: KeepTypeSize}.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			if n := stored(t, data, pick.Params); n > len(data)*52/100 || pick.Params.Split != blosc2.SplitNever {
				t.Errorf("steps of %d, %v: %d of %d bytes with %+v", step, aim, n, len(data), pick.Params)
			}
		}
	}
	for name, data := range map[string][]byte{"zeros": make([]byte, 1<<16), "table": table(1000, 2, 2, 100), "short": wide(50, 4)} {
		if haveTwins([][]byte{data}) {
			t.Errorf("%s have twins", name)
		}
	}
}
