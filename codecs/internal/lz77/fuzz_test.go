package lz77

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// efforts holds some efforts for each search of a Finder.
var efforts = []Effort{
	{MinLength: 6}, {MinLength: 4}, {MinLength: 8},
	{Rows: 1}, {Rows: 8, Lazy: 1}, {Rows: 16, Lazy: 2},
	{Depth: 1, Flat: true}, {Depth: 8, Flat: true, Window: 1000},
	{MinLength: 5, Values: true}, {MinLength: 5, Values: true, FastDecode: true}, {Rows: 4, Lazy: 2, Values: true, ValueDepth: 7},
	{MinLength: 5, Literal: 600}, {MinLength: 5, Double: true}, {MinLength: 4, Double: true, Literal: 600}, {Rows: 8, Literal: 400}, {Rows: 16, Lazy: 2, Literal: 900},
	{Flat: true}, {Flat: true, Window: 1000},
	{Rows: 32, Lazy: 2}, {Rows: 8, Far: true, Lazy: 1},
}

func addSeeds(f *testing.F) {
	f.Add([]byte(nil), uint8(0), uint16(0))
	f.Add(bytes.Repeat([]byte("abcdefgh"), 300), uint8(3), uint16(100))
	f.Add(bytes.Repeat([]byte{7}, 5000), uint8(6), uint16(1))
	var words []byte
	for i := range uint64(leastFast / ValueSize) {
		words = binary.LittleEndian.AppendUint64(words, i*i%23*0x9e3779b97f4a7c15)
	}
	for which, e := range efforts {
		n := 3000 * ValueSize
		if e.Values {
			n = len(words)
		}
		f.Add(words[:n], uint8(which), uint16(20000))
		f.Add(words[:n], uint8(which+(1+which%4)*len(efforts)), uint16(20000)) // with a longer key
	}
}

// FuzzFind executes the sequences that a Finder returns, part by part, and compares the
// sequences of all tiers of kernels.
func FuzzFind(f *testing.F) {
	addSeeds(f)
	finders := make([]Finder, len(kernels.Tiers()))
	f.Fuzz(func(t *testing.T, data []byte, which uint8, part uint16) {
		defer b2test.Cost(t)()
		e := efforts[int(which)%len(efforts)]
		for i := range finders {
			finders[i].Reset(len(data))
			finders[i].SetKey(MinMatch + int(which)/len(efforts)%5)
		}
		rep := [2]int{1, 4}
		var back []byte
		for from := 0; from < len(data); {
			to := min(len(data), from+int(part)+1)
			first := findAll(t, finders, data, from, to, e)
			back = expand(t, back, data, from, to, first, &rep, e)
			from = to
		}
		if !bytes.Equal(back, data) {
			t.Fatalf("%+v: the sequences are another input", e)
		}
	})
}

// FuzzScan compares the result of Scan with that of the generic code, for positions
// of both widths.
func FuzzScan(f *testing.F) {
	addSeeds(f)
	v16, v32 := new(Values[uint16]), new(Values[uint32])
	want16, want32 := new(Values[uint16]), new(Values[uint32])
	f.Fuzz(func(t *testing.T, data []byte, bits uint8, window uint16) {
		defer b2test.Cost(t)()
		compareScan(t, v16, want16, data, uint(bits), int(window))
		compareScan(t, v32, want32, data, uint(bits), int(window))
	})
}

func compareScan[P position](t *testing.T, v, want *Values[P], data []byte, bits uint, window int) {
	t.Helper()
	words := len(data)/ValueSize - 3 // Scan also reads the three words that follow
	if words < 1 {
		return
	}
	window = max(window, 1)
	for _, x := range []*Values[P]{v, want} {
		x.Reset(words, 8+bits%9, 8+bits/9%9)
	}
	for from := 0; from < words; from += len(v.Repeats) {
		n := min(len(v.Repeats), words-from)
		v.Scan(v.Repeats[:n], data, from, window)
		want.scanGeneric(want.Repeats[:n], data, from, window)
		if !slices.Equal(v.Repeats[:n], want.Repeats[:n]) {
			t.Fatalf("words %d to %d, window %d: other repeats than those of the generic code", from, from+n, window)
		}
	}
}
