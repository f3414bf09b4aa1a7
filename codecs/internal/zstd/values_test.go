package zstd

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// words makes values of 8 bytes that repeat, and some that do not.
func words(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	kinds, fresh := 1+r.Uint64N(1<<(1+seed%14)), 3+r.IntN(40)
	data := make([]byte, 0, size+8)
	for len(data) < size {
		w := r.Uint64N(kinds) * 0x9e3779b97f4a7c15
		if r.IntN(fresh) == 0 {
			w = r.Uint64()
		}
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	return data[:size]
}

// klauspost's library and this package decode frames of whole values.
func TestEncodeValues(t *testing.T) {
	library := newLibrary(t)
	var e Encoder
	var d Decoder
	smaller := 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 2))
		data := words(seed, r.IntN(1<<(14+seed%7)))
		effort := efforts[seed%uint64(len(efforts))]
		plain := len(e.frame(data, effort))
		effort.Values, effort.ValueDepth, effort.FastDecode = true, int(seed/2%3)*7, seed%4 < 2
		frame := bytes.Clone(e.frame(data, effort))
		if len(frame) < plain {
			smaller++
		}
		if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("seed %d, %d bytes: the library reads something else, error %v", seed, len(data), err)
		}
		if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("seed %d, %d bytes: we read something else, error %v", seed, len(data), err)
		}
	}
	if smaller < 20 {
		t.Errorf("%d of 120 frames are smaller", smaller)
	}
}

func FuzzEncodeValues(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(words(seed*3, 100_000))
	}
	library, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer b2test.Cost(t)()
		if len(data) > 1<<18 {
			t.Skip("longer inputs take the same paths and only slow down fuzzing")
		}
		var e Encoder
		for _, effort := range []lz77.Effort{
			{MinLength: 6, Values: true, FastDecode: len(data)%2 == 0},
			{Rows: 8, Values: true, ValueDepth: 7},
		} {
			frame := e.frame(data, effort)
			if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("%d bytes, %+v: the library reads something else, error %v", len(data), effort, err)
			}
		}
	})
}

// If the first block is a run it is not searched, and matches in the previous input
// are not used for the next one.
func TestEncodeValuesAfterRun(t *testing.T) {
	var d Decoder
	for seed := range uint64(16) {
		before := words(seed, 1<<18)
		data := append(make([]byte, maxBlock), before[8*seed:]...)
		data = append(data, words(seed+1, 1<<17)...)
		for _, effort := range []lz77.Effort{{MinLength: 5}, {MinLength: 6, FastDecode: true}, {Depth: 4, Rows: 8, Lazy: 1, ValueDepth: 7}} {
			effort.Values = true
			var used, fresh Encoder
			used.frame(before, effort)
			frame := used.frame(data, effort)
			if !bytes.Equal(frame, fresh.frame(data, effort)) {
				t.Fatalf("seed %d: an encoder that was used before makes something else", seed)
			}
			if back, err := both(t, &d, frame, len(data)); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("seed %d: something else, error %v", seed, err)
			}
		}
	}
}

// Sequences that decode faster take little more space.
func TestFastDecode(t *testing.T) {
	var e Encoder
	for seed := range uint64(40) {
		data := words(seed, 1<<18)
		if seed%4 == 0 { // repeated records: long matches and repeated distances
			size := 8 * int(3+seed/4)
			for i := 2000 * 8; i+size <= len(data); i += size {
				copy(data[i:i+size], data[8*(i*7/8%1000):])
			}
		}
		plain := len(e.frame(data, lz77.Effort{MinLength: 6, Values: true}))
		fast := len(e.frame(data, lz77.Effort{MinLength: 6, Values: true, FastDecode: true}))
		if fast > plain+plain/12 {
			t.Errorf("seed %d: %d bytes instead of %d", seed, fast, plain)
		}
	}
}
