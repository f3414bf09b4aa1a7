package lz4

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// both decodes with the fast loop of this machine and with the generic one.
func both(t *testing.T, block, dict []byte, size int) ([]byte, error) {
	t.Helper()
	decode := func() ([]byte, error) {
		dst := bytes.Repeat([]byte{0xc3}, size+64)
		n, err := Decode(dst[:size:size+64], block, dict)
		for _, v := range dst[size:] {
			if v != 0xc3 {
				t.Fatal("wrote after the destination")
			}
		}
		if err != nil {
			return nil, err
		}
		return dst[:n], nil
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
		data, block := blocks(seed)
		if got, err := both(t, block, nil, len(data)); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("seed %d, %d bytes: wrong or error %v", seed, len(data), err)
		}
		if _, err := both(t, block, nil, len(data)-1); err == nil {
			t.Fatalf("seed %d: %d bytes decoded to one less", seed, len(data))
		}
	}
}

func TestDecodeDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for seed := range uint64(1500) {
		data, block := blocks(seed)
		for range 5 {
			bad := bytes.Clone(block)
			for range 1 + r.IntN(4) {
				bad[r.IntN(len(bad))] = byte(r.Uint32())
			}
			_, _ = both(t, bad, nil, len(data))
			_, _ = both(t, bad, data[:len(data)/3], len(data))
			_, _ = both(t, bytes.Clone(bad[:r.IntN(len(bad))]), nil, len(data))
		}
	}
}

// A block may refer to a dictionary at any position.
func TestDecodeDict(t *testing.T) {
	dict, _ := blocks(12)
	for distance := 1; distance <= 300; distance += 1 + distance/20 {
		for _, n := range []int{4, 5, 15, 18, 19, 40, 300, 5000} {
			// The block has three literals, a match, and literals that fill the margins.
			block := []byte{3<<4 | byte(min(n-4, 15)), 1, 2, 3, byte(distance), byte(distance >> 8)}
			if n-4 >= 15 {
				rest := n - 4 - 15
				for ; rest >= 255; rest -= 255 {
					block = append(block, 255)
				}
				block = append(block, byte(rest))
			}
			block = append(block, 0xf0, 105)
			block = append(block, bytes.Repeat([]byte{9}, 120)...)
			want := append(bytes.Clone(dict), 1, 2, 3)
			for range n {
				want = append(want, want[len(want)-distance])
			}
			want = append(want, bytes.Repeat([]byte{9}, 120)...)[len(dict):]
			if got, err := both(t, block, dict, len(want)); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("distance %d, %d bytes: wrong or error %v", distance, n, err)
			}
			if _, err := both(t, block, nil, len(want)); (err == nil) != (distance <= 3) {
				t.Fatalf("distance %d, %d bytes, no dictionary: error %v", distance, n, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for seed := range uint64(40) {
		data, block := blocks(seed)
		f.Add(block, uint32(len(data)), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, block []byte, size uint32, dict []byte) {
		defer b2test.Cost(t)()
		got, err := both(t, block, dict, int(size%(1<<18)))
		if err != nil {
			return
		}
		want := make([]byte, len(got))
		if n, err := lz4.UncompressBlockWithDict(block, want, dict); err == nil && !bytes.Equal(want[:n], got) {
			t.Fatal("pierrec decodes to something else")
		}
	})
}

// TestDecodeLongLength decodes lengths that overflow a word of 32 bits: 255
// times more than there are bytes.
func TestDecodeLongLength(t *testing.T) {
	dst := make([]byte, 1<<20)
	for _, first := range []string{"\xf0", "\x1fa\x01\x00"} { // the long length is that of literals, or of a match
		for _, bytes := range []int{8<<20 + 1<<19, 16<<20 + 1<<19} {
			src := append([]byte(first), make([]byte, bytes+100)...)
			for i := range bytes {
				src[len(first)+i] = 255
			}
			if n, err := Decode(dst, src, nil); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%q and %d bytes of 255: %d bytes, error %v", first, bytes, n, err)
			}
			if _, _, err := step(dst, src, nil, 0, 0); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%q and %d bytes of 255, in a step: error %v", first, bytes, err)
			}
		}
	}
}
