package tune

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

func TestRecurs(t *testing.T) {
	once := walk(1, 120e3)
	twice := append(walk(1, 120e3), once...)
	near := bytes.Repeat(once[:16<<10], 30)
	shifted := append(append(bytes.Clone(once), 1), once...)
	few := append(append(walk(2, 450e3), once[:50e3]...), once[:50e3]...)
	regular := bytes.Repeat(walk(4, 64<<10), 8)[:15*(64<<10)+stretchLen] // evenly spaced stretches would be copies of each other
	late := append(walk(3, 530e3), twice...)
	for name, c := range map[string]struct {
		data []byte
		want bool
	}{
		"once": {once, false}, "regular": {regular, true}, "long": {walk(2, 500e3), false}, "twice": {twice, true}, "shifted": {shifted, true}, "near": {near, false},
		"a tenth": {few, false}, "late": {late, false}, "zeros": {make([]byte, 1<<20), false}, "short": {twice[:200e3], false}, "nothing": {nil, false},
	} {
		if got := recurs(c.data); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What repeats at a large distance decides, in a chunk and, if what
// is left repays the search, in a stream that begins with pieces.
func TestPickRecurring(t *testing.T) {
	data := bytes.Repeat(walk(1, 115e3), 4)
	p := chunk.Default()
	p.TypeSize = 2
	for aim, repaid := range map[Aim]bool{Disk: false, Balanced: true, Network: true, WAN: true} {
		s := Search{Aim: aim, Params: p, Keep: KeepTypeSize}
		pick, err := s.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		if n := stored(t, data, pick.Params); n > len(data)/3 {
			t.Errorf("%v: %d bytes of %d: %+v", aim, n, len(data), pick.Params)
		}
		st := NewStream(s)
		var sample []byte
		var offsets []int64
		for i := range 8 {
			at := len(data) / 8 * i &^ 1
			sample, offsets = append(sample, data[at:at+32<<10]...), append(offsets, int64(at))
		}
		if err := st.Begin(sample, offsets, int64(len(data))); err != nil {
			t.Fatal(err)
		}
		next, err := st.Next(data)
		if err != nil {
			t.Fatal(err)
		}
		if n := stored(t, data, next); n > len(data)/3 == repaid {
			t.Errorf("%v, by pieces: %d bytes of %d: %+v", aim, n, len(data), next)
		}
	}
}

// With a given level, zlib is not credited with what only zstd's window finds in a chunk. Each of
// two signals occurs twice, 103 KB apart.
func TestArchiveRecurring(t *testing.T) {
	for _, noise := range []float64{4, 15, 100} {
		r := rand.New(rand.NewPCG(1, uint64(4*noise)))
		var data []byte
		for range 2 {
			var signal []byte
			for mean, left := 500, 0; len(signal) < 103e3; left-- {
				if left == 0 {
					mean, left = 400+r.IntN(300), 5+r.IntN(20)
				}
				signal = binary.LittleEndian.AppendUint16(signal, uint16(mean+int(r.NormFloat64()*noise)))
			}
			data = append(append(data, signal...), signal...)
		}
		least := len(data)
		p := chunk.Default()
		p.TypeSize, p.Codec, p.Level, p.BlockSize = 2, blosc2.CodecZstd, 3, len(data)
		for _, name := range []string{"none", "shuffle", "shuffle,bytedelta"} {
			p.Filters, _ = filters.Parse(name)
			least = min(least, stored(t, data, p))
		}
		p.BlockSize = 0
		pick, err := Search{Aim: Archive, Params: p, Keep: KeepLevel, Item: 2, Records: true}.Pick(data)
		if err != nil {
			t.Fatal(err)
		}
		if n := stored(t, data, pick.Params); n > least*5/4 {
			t.Errorf("noise %v: %d bytes of %d, zstd makes %d: %v", noise, n, len(data), least, pick)
		}
	}
}
