package tune

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// Records are no larger than unfiltered zstd 1, the limit of Balanced, also if a sample of
// pieces hides what repeats. Where that is the pick, level 2 is tried too.
func TestLimitOfRecords(t *testing.T) {
	for _, c := range []struct {
		counters, values, many int
		most                   float64 // the largest size, relative to the limit
	}{
		{2, 1, 8000, 0.9}, {4, 1, 1000, 1}, {4, 2, 8000, 1}, {6, 2, 4000, 1}, {6, 4, 8000, 0.9}, {4, 2, 16000, 1},
	} {
		row := 8 * (c.counters + c.values)
		data := table(mostBlock/row, c.counters, c.values, c.many)
		p := chunk.Default()
		p.TypeSize = 8
		found, err := Search{Aim: Balanced, Params: p, Item: 8, Records: true}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		size := func(p chunk.Params) float64 {
			e, err := chunk.NewEncoder(p)
			if err != nil {
				t.Fatal(err)
			}
			b, err := e.Encode(nil, data)
			if err != nil {
				t.Fatal(err)
			}
			return float64(len(b))
		}
		limit := p
		limit.Codec, limit.Level, limit.Filters, limit.BlockSize, limit.Split = blosc2.CodecZstd, 1, filters.Pipeline{}, mostBlock, blosc2.SplitNever
		if got := size(found.Params) / size(limit); got > c.most {
			t.Errorf("%+v: %v is %.3f times as large as the limit", c, found, got)
		}
	}
}

// Where the best trial is larger than the limit of Balanced, the next best ones that are not are
// still tried, although the final comparison leaves them out. Noise of ten bits is as small
// without filters, but takes much longer.
func TestUnderLimit(t *testing.T) {
	for _, c := range []struct{ spread, mean, trend float64 }{{3, 250, 0}, {8, 250, 0}, {12, 500, 0.5}} {
		r := rand.New(rand.NewPCG(1, 2))
		var data []byte
		x := 0.0
		for range mostBlock / 2 {
			x = c.trend*x + r.NormFloat64()*c.spread
			data = binary.LittleEndian.AppendUint16(data, uint16(max(0, c.mean+x)))
		}
		p := chunk.Default()
		p.TypeSize = 2
		found, err := Search{Aim: Balanced, Params: p, Keep: KeepTypeSize}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		if found.Params.Filters.Empty() {
			t.Errorf("%+v: %v", c, found)
		}
	}
}
