package lz4

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// compare encodes data into room bytes with our encoder and with pierrec's port of
// LZ4, which produces C's bytes.
func compare(t *testing.T, e *Encoder, data []byte, room, acceleration int) {
	t.Helper()
	want := make([]byte, room)
	reference := lz4.CompressorCCompat{Acceleration: acceleration}
	m, err := reference.CompressBlock(data, want)
	if err != nil {
		m = 0
	}
	got := bytes.Repeat([]byte{0xc3}, room+64)
	n := e.Encode(got[:room:room+64], data, acceleration)
	for _, v := range got[room:] {
		if v != 0xc3 {
			t.Fatalf("%d bytes into %d: wrote after the destination", len(data), room)
		}
	}
	if n > 0 {
		checkEnd(t, got[:n])
	}
	if !bytes.Equal(got[:n], want[:m]) {
		t.Fatalf("%d bytes into %d, acceleration %d: %d bytes, LZ4 has %d", len(data), room, acceleration, n, m)
	}
}

func TestEncode(t *testing.T) {
	e := new(Encoder)
	r := rand.New(rand.NewPCG(5, 5))
	for seed := range uint64(3000) {
		data, block := blocks(seed)
		acceleration := 1 + r.IntN(12)
		compare(t, e, data, lz4.CompressBlockBound(len(data)), acceleration)
		compare(t, e, data, len(data), acceleration)
		for range 8 {
			compare(t, e, data, max(0, len(block)-10+r.IntN(25)), acceleration)
			compare(t, e, data, r.IntN(len(block)+1), acceleration)
		}
	}
}

// This tests inputs of every length near the limits of the two tables, and near the
// shortest input.
func TestEncodeLengths(t *testing.T) {
	e := new(Encoder)
	data, _ := blocks(13)
	for len(data) < 200000 {
		data = append(data, data...)
	}
	for n := range 300 {
		for _, acceleration := range []int{1, 5, 9} {
			compare(t, e, data[:n], n, acceleration)
			compare(t, e, data[:65400+n], 65400+n, acceleration)
		}
	}
	compare(t, e, data, len(data), 1)
	compare(t, e, make([]byte, 1<<20), 1<<13, 1)
}

// This tests noise and repetitions of it that are longer than the encoder processes at
// once, with sufficient and with too small destinations.
func TestEncodeLong(t *testing.T) {
	e := new(Encoder)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		var data []byte
		for n := 1 << (12 + seed%9); len(data) < n; {
			size := 1 + r.IntN(1<<r.IntN(16))
			switch d := 1 + r.IntN(1<<r.IntN(17)); {
			case len(data) < d || r.IntN(3) == 0:
				for range size {
					data = append(data, byte(r.Uint32()))
				}
			default:
				for range size {
					data = append(data, data[len(data)-d])
				}
			}
		}
		acceleration := 1 + r.IntN(10)
		compare(t, e, data, len(data), acceleration)
		n := e.Encode(make([]byte, 2*len(data)+100), data, acceleration)
		for _, room := range []int{n, n - 1, n + 20, n - 1 - r.IntN(100), r.IntN(n + 1)} {
			compare(t, e, data, max(room, 0), acceleration)
		}
	}
}

// This tests planes of regular data: few sequences repeated many times, so that the
// encoder guesses their lengths, and is occasionally wrong.
func TestEncodeRegular(t *testing.T) {
	e := new(Encoder)
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 8))
		data := make([]byte, 1<<(8+seed%10))
		period, steps := 0, make([]int, 1+r.IntN(4))
		for i := range steps {
			steps[i] = 1 + r.IntN(1<<(1+r.IntN(6)))
			period += steps[i]
		}
		faults := r.IntN(4)
		for begin := 0; begin < len(data); begin += period {
			at := begin
			for i, step := range steps {
				if at < len(data) {
					data[at] = byte(1 + i + begin/period%(1+r.IntN(2)))
				}
				at += step
			}
			if faults > 0 && r.IntN(1<<(2*faults)) == 0 {
				data[begin+r.IntN(min(period, len(data)-begin))] = byte(r.Uint32())
			}
		}
		for _, acceleration := range []int{1, 5, 9} {
			compare(t, e, data, len(data), acceleration)
			n := e.Encode(make([]byte, len(data)), data, acceleration)
			for _, room := range []int{n, n - 1, n + 1, n + r.IntN(40), r.IntN(n + 1)} {
				compare(t, e, data, max(room, 0), acceleration)
			}
		}
	}
}

func FuzzEncode(f *testing.F) {
	for seed := range uint64(40) {
		data, block := blocks(seed)
		f.Add(data, uint32(len(block)), uint8(1))
	}
	e := new(Encoder)
	f.Fuzz(func(t *testing.T, data []byte, room uint32, acceleration uint8) {
		defer b2test.Cost(t)()
		compare(t, e, data, int(room%(1<<18)), int(acceleration))
	})
}

// hcEfforts holds an effort for each search of the HC encoder.
func hcEfforts(depth uint8) []lz77.Effort {
	return []lz77.Effort{
		{Depth: 1 + int(depth)},
		{},
	}
}

// checkHC encodes data into room bytes, and checks that the block is valid and decodes to
// data. It returns the length of the block, or 0 if it does not fit.
func checkHC(t *testing.T, e *HCEncoder, data []byte, room int, effort lz77.Effort) int {
	t.Helper()
	dst := bytes.Repeat([]byte{0xc3}, room+64)
	n := e.Encode(dst[:room:room+64], data, effort)
	for _, v := range dst[room:] {
		if v != 0xc3 {
			t.Fatalf("%d bytes into %d: wrote after the destination", len(data), room)
		}
	}
	if n == 0 {
		return 0
	}
	checkEnd(t, dst[:n])
	back := make([]byte, len(data))
	if m, err := lz4.UncompressBlock(dst[:n], back); err != nil || m != len(data) || !bytes.Equal(back, data) {
		t.Fatalf("%d bytes, %+v: LZ4 decodes %d others, %v", len(data), effort, m, err)
	}
	return n
}

func TestEncodeHC(t *testing.T) {
	var e HCEncoder
	r := rand.New(rand.NewPCG(6, 6))
	for seed := range uint64(1500) {
		data, _ := blocks(seed)
		for _, effort := range hcEfforts(uint8(r.Uint32())) {
			bound := lz4.CompressBlockBound(len(data))
			if checkHC(t, &e, data, bound, effort) == 0 {
				t.Fatalf("seed %d: does not fit into %d bytes", seed, bound)
			}
			checkHC(t, &e, data, len(data), effort)
			checkHC(t, &e, data, r.IntN(len(data)+1), effort)
		}
	}
}

// This tests blocks of every length that end within short matches that overlap. The wide
// search shortens such matches.
func TestEncodeHCEnd(t *testing.T) {
	var e HCEncoder
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9))
		data := make([]byte, 0, 1200)
		for len(data) < 1000 {
			n, distance := 4+r.IntN(12), 4+r.IntN(len(data)+1)
			for range n {
				if distance > len(data) || r.IntN(40) == 0 {
					data = append(data, byte(r.IntN(4)))
				} else {
					data = append(data, data[len(data)-distance])
				}
			}
		}
		for n := range len(data) {
			for _, effort := range hcEfforts(15) {
				checkHC(t, &e, data[:n], n, effort)
			}
		}
	}
}

// Blocks of one item are one match.
func TestEncodeHCPeriod(t *testing.T) {
	var e HCEncoder
	var values ValuesEncoder
	r := rand.New(rand.NewPCG(4, 12))
	for size := 1; size <= lz77.MostPeriod; size++ {
		item := make([]byte, size)
		for i := range item {
			item[i] = byte(r.Uint32())
		}
		if size%2 == 0 { // an item that has matches itself
			clear(item[:size-1])
		}
		for _, n := range []int{1 << 10, 1<<10 + 6, 1<<16 + 3, 1 << 18} {
			data := bytes.Repeat(item, n/size+1)[:n]
			if _, ok := values.EncodeDeep(make([]byte, n), data, 8); ok {
				t.Errorf("%d bytes, items of %d: searched for values", n, size)
			}
			for _, effort := range hcEfforts(7) {
				most := size + (n+size)/255 + 16
				if size%2 == 0 {
					most = n/255 + 28
				}
				if length := checkHC(t, &e, data, len(data), effort); length == 0 || length > most {
					t.Errorf("%d bytes, items of %d: a block of %d bytes, not 1 to %d", n, size, length, most)
				}
				checkHC(t, &e, data, most/2, effort)
			}
		}
	}
}

func FuzzEncodeHC(f *testing.F) {
	for seed := range uint64(40) {
		data, block := blocks(seed)
		f.Add(data, uint32(len(block)), uint8(seed))
	}
	e := new(HCEncoder)
	f.Fuzz(func(t *testing.T, data []byte, room uint32, depth uint8) {
		defer b2test.Cost(t)()
		for _, effort := range hcEfforts(depth) {
			checkHC(t, e, data, int(room%(1<<18)), effort)
		}
	})
}
