package lz4

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// compare encodes data into room bytes with our encoder and with pierrec's
// port of LZ4, which is known to give C's bytes.
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
			t.Fatalf("%d bytes into %d: wrote behind the destination", len(data), room)
		}
	}
	if !bytes.Equal(got[:n], want[:m]) {
		t.Fatalf("%d bytes into %d, acceleration %d: %d bytes, LZ4 gives %d", len(data), room, acceleration, n, m)
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

// Every length near the limits of the two tables and of the shortest input.
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

func FuzzEncode(f *testing.F) {
	for seed := range uint64(40) {
		data, block := blocks(seed)
		f.Add(data, uint32(len(block)), uint8(1))
	}
	e := new(Encoder)
	f.Fuzz(func(t *testing.T, data []byte, room uint32, acceleration uint8) {
		compare(t, e, data, int(room%(1<<18)), int(acceleration))
	})
}
