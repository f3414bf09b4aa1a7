package tune

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// Records are no larger than unfiltered zstd 2, the limit of Balanced, also if a sample of
// pieces hides what repeats.
func TestLimitOfRecords(t *testing.T) {
	for _, c := range []struct {
		counters, values, many int
	}{
		{2, 1, 8000}, {4, 1, 1000}, {4, 2, 8000}, {6, 2, 4000}, {6, 4, 8000}, {4, 2, 16000},
	} {
		row := 8 * (c.counters + c.values)
		data := table(mostBlock/row, c.counters, c.values, c.many)
		if got, found := overLimit(t, Search{Item: 8, Records: true}, data); got > 1 {
			t.Errorf("%+v: %v is %.3f times as large as the limit", c, found, got)
		}
	}
}

// Neither are numbers that repeat, some nearby and most beyond the pieces.
func TestLimitOfValues(t *testing.T) {
	for _, c := range []struct{ many, bits int }{{12000, 20}, {16000, 24}, {24000, 24}} {
		r := rand.New(rand.NewPCG(1, 2))
		values := make([]uint64, c.many)
		for i := range values {
			values[i] = 0x4000<<48 | r.Uint64()>>(64-c.bits)<<(52-c.bits)
		}
		var data []byte
		for len(data) < mostBlock {
			v := values[r.IntN(c.many)]
			if n := len(data) - 8*(1+r.IntN(50)); n >= 0 && r.Float64() < 0.3 {
				v = binary.LittleEndian.Uint64(data[n:])
			}
			data = binary.LittleEndian.AppendUint64(data, v)
		}
		if got, found := overLimit(t, Search{Item: 8}, data); got > 1 {
			t.Errorf("%+v: %v is %.3f times as large as the limit", c, found, got)
		}
	}
}

// overLimit returns what s picks for Balanced and items of 8 bytes, and the size of a whole chunk
// with it, relative to that with zstd 2 without filters.
func overLimit(t *testing.T, s Search, data []byte) (float64, Pick) {
	t.Helper()
	s.Aim, s.Params = Balanced, chunk.Default()
	s.Params.TypeSize = 8
	found, err := s.Pick(data)
	if err != nil {
		t.Fatal(err)
	}
	limit := s.Params
	limit.Codec, limit.Level, limit.Filters, limit.BlockSize, limit.Split = blosc2.CodecZstd, 2, filters.Pipeline{}, mostBlock, blosc2.SplitNever
	return float64(stored(t, data, found.Params)) / float64(stored(t, data, limit)), found
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
