package blosclz

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func compare(t *testing.T, e *Encoder, data []byte, room, level int) int {
	t.Helper()
	want := make([]byte, room)
	m := referenceEncode(want, data, level)
	got := bytes.Repeat([]byte{0xc3}, room+64)
	n := e.Encode(got[:room:room+64], data, level)
	for _, v := range got[room:] {
		if v != 0xc3 {
			t.Fatalf("%d bytes into %d: wrote after the destination", len(data), room)
		}
	}
	if !bytes.Equal(got[:n], want[:m]) {
		t.Fatalf("%d bytes into %d, level %d: %d bytes, the reference has %d", len(data), room, level, n, m)
	}
	if n == 0 {
		return 0
	}
	back := make([]byte, len(data))
	if k, err := Decode(back, got[:n]); err != nil || !bytes.Equal(back[:k], data) {
		t.Fatalf("%d bytes into %d, level %d: decoded to other bytes, error %v", len(data), room, level, err)
	}
	return n
}

func TestEncode(t *testing.T) {
	e, compressed := new(Encoder), 0
	r := rand.New(rand.NewPCG(5, 5))
	for seed := range uint64(1500) {
		data, _ := streams(seed)
		level := MinLevel + r.IntN(MaxLevel)
		n := compare(t, e, data, len(data)*9/8+100, level)
		compare(t, e, data, len(data), level)
		for range 3 {
			compare(t, e, data, max(0, n-3+r.IntN(7)), level)
		}
		if n > 0 {
			compressed++
		}
	}
	if compressed < 500 {
		t.Errorf("%d streams compressed, too few", compressed)
	}
}

// This tests inputs of every length near the limit of 16-bit positions, and of every
// short length.
func TestEncodeLengths(t *testing.T) {
	e := new(Encoder)
	data := bytes.Repeat([]byte("twenty-three characters"), 9000)
	for i := 0; i < len(data); i += 97 {
		data[i]++
	}
	for n := range 200 {
		compare(t, e, data[:n], 300, 9)
	}
	for n := 65500; n < 65570; n++ {
		compare(t, e, data[:n], n, 1+n%9)
	}
	compare(t, e, data, len(data), 5)
}

// This tests long inputs, with short and long copies from near and far, up to the longest
// distance and beyond, and literals between, and destinations that are hardly large
// enough.
func TestEncodeFar(t *testing.T) {
	e := new(Encoder)
	r := rand.New(rand.NewPCG(6, 6))
	rounds := 300
	if testing.Short() {
		rounds = 40
	}
	for range rounds {
		size := 1<<10 + r.IntN(1<<(10+r.IntN(9)))
		alphabet, longest, most := 1<<r.IntN(9), 4+r.IntN(1<<(2+r.IntN(9))), 1+r.IntN(1<<r.IntN(8))
		var data []byte
		for len(data) < size {
			for range r.IntN(most + 1) {
				data = append(data, byte(r.IntN(alphabet)))
			}
			if len(data) > 0 {
				distance := 1 + r.IntN(min(len(data), 1<<(1+r.IntN(17))))
				if r.IntN(4) == 0 {
					distance = min(len(data), []int{8190, 8191, 8192, 73724, 73725, 73726}[r.IntN(6)])
				}
				for range r.IntN(longest) {
					data = append(data, data[len(data)-distance])
				}
			}
		}
		level := MinLevel + r.IntN(MaxLevel)
		n := compare(t, e, data, len(data)*9/8+100, level)
		for range 3 {
			compare(t, e, data, max(0, n-r.IntN(100)), level)
		}
		compare(t, e, data, r.IntN(len(data)), level)
	}
}

func FuzzEncode(f *testing.F) {
	for seed := range uint64(40) {
		data, stream := streams(seed)
		f.Add(data, uint32(len(stream)), 5)
	}
	e := new(Encoder)
	f.Fuzz(func(t *testing.T, data []byte, room uint32, level int) {
		defer b2test.Cost(t)()
		compare(t, e, data, int(room%(1<<18)), max(MinLevel, min(level, MaxLevel)))
	})
}
