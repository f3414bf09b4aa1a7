package tune

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Where values recur, those that stay in place are smallest, although in a part of the chunk zstd
// 1 finds few of them.
func TestRecallUnfiltered(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	values := make([]uint64, 20_000)
	for i := range values {
		values[i] = r.Uint64()
	}
	var data []byte
	for range mostBlock / 8 {
		data = binary.LittleEndian.AppendUint64(data, values[r.IntN(len(values))])
	}
	s := NewStream(Search{Aim: Archive, Params: chunk.Default(), Item: 8})
	p := chunk.Default()
	p.Codec, p.Level, p.TypeSize, p.Filters = blosc2.CodecZstd, 9, 8, shuffled
	s.pick = Pick{Params: p}
	if err := s.recallSmallest(data, look{}, false); err != nil {
		t.Fatal(err)
	}
	if !s.pick.Params.Filters.Empty() || s.pick.Params.Level != 9 {
		t.Errorf("%v: %d bytes", s.pick, stored(t, data, s.pick.Params))
	}
}
