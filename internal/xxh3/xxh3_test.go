package xxh3

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{9})
	r.Read(b)
	return b
}

// eachTier runs a test with all kernels.
func eachTier(t *testing.T, f func(t *testing.T)) {
	defer kernels.Use(kernels.Current())
	for _, tier := range kernels.Tiers() {
		kernels.Use(tier)
		t.Run(tier.String(), f)
	}
}

// The digests equal those of another implementation, for every length to beyond five
// blocks, at every alignment, and for random lengths.
func TestSum64(t *testing.T) {
	data := noise(1<<20 + 64)
	if got := Sum64(nil); got != 0x2d06800538d394c2 {
		t.Errorf("no bytes: %016x", got)
	}
	eachTier(t, func(t *testing.T) {
		for n := range 6000 {
			b := data[n%64:][:n]
			if got, want := Sum64(b), xxh3.Hash(b); got != want {
				t.Fatalf("%d bytes: %016x, want %016x", n, got, want)
			}
		}
		for range 300 {
			n, at := rand.IntN(1<<20), rand.IntN(64)
			b := data[at:][:n]
			if got, want := Sum64(b), xxh3.Hash(b); got != want {
				t.Fatalf("%d bytes: %016x, want %016x", n, got, want)
			}
		}
	})
}

// Pieces of any length produce the digest of the whole, at every step.
func TestHasher(t *testing.T) {
	data := noise(20000)
	eachTier(t, func(t *testing.T) {
		for _, most := range []int{1, 3, 64, 65, 240, 1023, 1024, 1025, 5000} {
			var h Hasher
			if h.Sum64() != Sum64(nil) {
				t.Fatal("nothing written")
			}
			for n := 0; n < len(data); {
				k := min(rand.IntN(most+1), len(data)-n)
				h.Write(data[n:][:k])
				n += k
				if got, want := h.Sum64(), Sum64(data[:n]); got != want {
					t.Fatalf("%d bytes in pieces up to %d: %016x, want %016x", n, most, got, want)
				}
			}
		}
	})
}

func FuzzSum64(f *testing.F) {
	f.Add([]byte("frame"), 3)
	f.Add(noise(3000), 1024)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		defer b2test.Cost(t)()
		want := xxh3.Hash(b)
		cut = min(max(cut, 0), len(b))
		var h Hasher
		h.Write(b[:cut])
		h.Write(b[cut:])
		if got := h.Sum64(); Sum64(b) != want || got != want {
			t.Errorf("%d bytes, cut at %d: %016x and %016x, want %016x", len(b), cut, Sum64(b), got, want)
		}
	})
}

func BenchmarkSum64(b *testing.B) {
	defer kernels.Use(kernels.Current())
	for _, n := range []int{64, 200, 1000, 10_000, 100_000, 1_000_000} {
		data := noise(n)
		for _, tier := range kernels.Tiers() {
			kernels.Use(tier)
			b.Run(fmt.Sprintf("%d/%s", n, tier), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					Sum64(data)
				}
			})
		}
		b.Run(fmt.Sprintf("%d/zeebo", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				xxh3.Hash(data)
			}
		})
	}
}
