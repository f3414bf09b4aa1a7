package blosclz

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// both decodes with the fast loop of this machine and with the generic one.
func both(t *testing.T, stream []byte, size int) ([]byte, error) {
	t.Helper()
	decode := func() ([]byte, error) {
		dst := bytes.Repeat([]byte{0xc3}, size+64)
		n, err := Decode(dst[:size:size+64], stream)
		for _, v := range dst[size:] {
			if v != 0xc3 {
				t.Fatal("wrote after the destination")
			}
		}
		return dst[:n], err
	}
	got, err := decode()
	mine := fast
	fast = fastGeneric
	want, wantErr := decode()
	fast = mine
	if !bytes.Equal(got, want) || err != wantErr {
		t.Fatalf("%d bytes, error %v; the generic loop returned %d bytes, error %v", len(got), err, len(want), wantErr)
	}
	return got, err
}

func TestDecode(t *testing.T) {
	for seed := range uint64(2000) {
		data, stream := streams(seed)
		if got, err := both(t, stream, len(data)); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("seed %d, %d bytes: wrong or error %v", seed, len(data), err)
		}
		if _, err := both(t, stream, len(data)-1); err == nil {
			t.Fatalf("seed %d: %d bytes decoded to one less", seed, len(data))
		}
	}
}

func TestDecodeDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(1500) {
		data, stream := streams(seed)
		for range 5 {
			bad := bytes.Clone(stream)
			for range 1 + r.IntN(4) {
				bad[r.IntN(len(bad))] = byte(r.Uint32())
			}
			_, _ = both(t, bad, len(data))
			_, _ = both(t, stream, r.IntN(len(data)))
			_, _ = both(t, bytes.Clone(bad[:r.IntN(len(bad))]), len(data))
		}
	}
}

// Decode requires what C-Blosc2's decoder requires at the end of a stream.
func TestDecodeEnd(t *testing.T) {
	for _, c := range []struct {
		what   string
		stream []byte
		n      int // bytes decoded, or -1 for an error
	}{
		{"nothing", nil, 0},
		{"literals", []byte{0x22, 1, 2, 3}, 3},
		{"first byte counts modulo 32", []byte{0xe2, 1, 2, 3}, 3},
		{"literals cut off", []byte{0x22, 1, 2}, -1},
		{"match and a literal", []byte{0x20, 1, 0x20, 0, 0, 9}, 5},
		{"match at the end is left out", []byte{0x20, 1, 0xe0, 0, 0}, 1},
		{"match whose distance is the last byte", []byte{0x20, 1, 0x20, 0}, -1},
		{"match without distance", []byte{0x20, 1, 0x20}, -1},
		{"match without length", []byte{0x20, 1, 0xe0}, -1},
		{"length is the last byte", []byte{0x20, 1, 0xe0, 0}, -1},
		{"far distance cut off", []byte{0x20, 1, 0x3f, 255, 0}, -1},
		{"before the beginning", []byte{0x20, 1, 0x20, 1, 0, 9}, -1},
		{"far before the beginning", []byte{0x20, 1, 0x3f, 255, 0, 0, 0, 9}, -1},
	} {
		n, err := Decode(make([]byte, 20), c.stream)
		if c.n < 0 {
			if err != ErrCorrupt {
				t.Errorf("%s: %d bytes, error %v, want ErrCorrupt", c.what, n, err)
			}
		} else if n != c.n || err != nil {
			t.Errorf("%s: %d bytes, error %v, want %d", c.what, n, err, c.n)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for seed := range uint64(40) {
		data, stream := streams(seed)
		f.Add(stream, uint32(len(data)))
	}
	f.Fuzz(func(t *testing.T, stream []byte, size uint32) {
		defer b2test.Cost(t)()
		_, _ = both(t, stream, int(size%(1<<18)))
	})
}

// TestDecodeLongLength decodes lengths that overflow a word of 32 bits: 255
// times more than there are bytes.
func TestDecodeLongLength(t *testing.T) {
	dst := make([]byte, 1<<20)
	for _, bytes := range []int{8<<20 + 1<<19, 16<<20 + 1<<19} {
		src := append([]byte("\x00a\xe0"), make([]byte, bytes+100)...)
		for i := range bytes {
			src[3+i] = 255
		}
		if n, err := Decode(dst, src); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d bytes of 255: %d bytes, error %v", bytes, n, err)
		}
	}
}
