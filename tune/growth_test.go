package tune

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// With a given level, the filters are those that are best in a whole chunk, where a noisy signal
// repeats at distances beyond a sample.
func TestGivenLevelInChunk(t *testing.T) {
	for _, c := range []struct{ width, noise int }{{2, 20}, {4, 6}} {
		r := rand.New(rand.NewPCG(1, 2))
		signal, x := make([]int, 30_000), 0
		for i := range signal {
			x += r.IntN(41) - 20
			signal[i] = x
		}
		var data []byte
		for i := 0; len(data) < mostBlock; i++ {
			v := signal[i%len(signal)]
			if r.IntN(100) < c.noise {
				v += r.IntN(5)
			}
			data = binary.LittleEndian.AppendUint32(data, uint32(v))[:len(data)+c.width]
		}
		p := chunk.Default()
		p.Codec, p.Level, p.TypeSize = blosc2.CodecZstd, 3, c.width
		found, err := Search{Aim: Archive, Item: c.width, Params: p, Keep: KeepLevel}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		p.BlockSize, p.Split = mostBlock, blosc2.SplitAlways
		for _, p.Filters = range []filters.Pipeline{shuffled, smooth.Explicit(c.width)} {
			if got, most := stored(t, data, found.Params), stored(t, data, p); got > most {
				t.Errorf("%+v: %v is %.3f times as large as %v", c, found, float64(got)/float64(most), p.Filters)
			}
		}
	}
}
