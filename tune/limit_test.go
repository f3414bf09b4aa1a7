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
		if got, found := overLimit(t, Search{Aim: Balanced, Item: 8, Records: true}, data); got > 1 {
			t.Errorf("%+v: %v is %.3f times as large as the limit", c, found, got)
		}
	}
}

// Neither are numbers that repeat, some nearby and most beyond the pieces.
func TestLimitOfValues(t *testing.T) {
	for _, c := range recurring {
		if got, found := overLimit(t, Search{Aim: Balanced, Item: 8}, c.data()); got > 1 {
			t.Errorf("%+v: %v is %.3f times as large as the limit", c, found, got)
		}
	}
}

// Slow links do not take longer with what is picked for such numbers than with the limit.
func TestLimitOfSlowLinks(t *testing.T) {
	for _, c := range recurring {
		for _, aim := range []Aim{WAN, 5e6} {
			data := c.data()
			_, found := overLimit(t, Search{Aim: aim, Item: 8}, data)
			if got, most := reckoned(t, data, found.Params, aim), reckoned(t, data, limitOfItems(8), aim); got > most {
				t.Errorf("%v, %+v: %v takes %.3f times as long as the limit", aim, c, found, float64(got)/float64(most))
			}
		}
	}
}

// With a given level they are no larger than without filters, although a sample of pieces is.
func TestGrowthOfValues(t *testing.T) {
	for _, c := range recurring {
		data := c.data()
		for level := 3; level <= 6; level++ {
			p, unfiltered := chunk.Default(), limitOfItems(8)
			p.TypeSize, p.Level, unfiltered.Level = 8, level, level
			found, err := Search{Aim: Archive, Item: 8, Params: p, Keep: KeepLevel}.Pick(data)
			if err != nil {
				t.Fatal(err)
			}
			if got, most := stored(t, data, found.Params), stored(t, data, unfiltered); got > most {
				t.Errorf("%+v: %v is %.3f times as large as without filters", c, found, float64(got)/float64(most))
			}
		}
	}
}

// numbers are items of 8 bytes with the given number of random bits, of which there are many
// different ones.
type numbers struct{ many, bits int }

// recurring are numbers that repeat in a whole chunk more than in pieces of it.
var recurring = []numbers{{12000, 20}, {16000, 24}, {24000, 24}}

// data returns a chunk of numbers. Three of ten are one of the last 50.
func (c numbers) data() (data []byte) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]uint64, c.many)
	for i := range values {
		values[i] = 0x4000<<48 | r.Uint64()>>(64-c.bits)<<(52-c.bits)
	}
	for len(data) < mostBlock {
		v := values[r.IntN(c.many)]
		if n := len(data) - 8*(1+r.IntN(50)); n >= 0 && r.Float64() < 0.3 {
			v = binary.LittleEndian.Uint64(data[n:])
		}
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return data
}

// overLimit returns what s picks for items of 8 bytes, and the size of a whole chunk
// with it, relative to that with zstd 2 without filters.
func overLimit(t *testing.T, s Search, data []byte) (float64, Pick) {
	t.Helper()
	s.Params = chunk.Default()
	s.Params.TypeSize = 8
	found, err := s.Pick(data)
	if err != nil {
		t.Fatal(err)
	}
	return float64(stored(t, data, found.Params)) / float64(stored(t, data, limitOfItems(8))), found
}

// limitOfItems returns the parameters of the limit for items of a width.
func limitOfItems(width int) chunk.Params {
	p := chunk.Default()
	p.TypeSize = width
	p.Codec, p.Level, p.Filters, p.BlockSize, p.Split = blosc2.CodecZstd, 2, filters.Pipeline{}, mostBlock, blosc2.SplitNever
	return p
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
