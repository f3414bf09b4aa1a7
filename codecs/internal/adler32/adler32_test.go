package adler32

import (
	"bytes"
	"hash/adler32"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func TestChecksum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 70000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	lengths := []int{20000, 65536, len(noise) - 64}
	for n := range 8193 {
		lengths = append(lengths, n)
	}
	for _, data := range [][]byte{noise, bytes.Repeat([]byte{255}, len(noise)), make([]byte, len(noise))} {
		for i, n := range lengths {
			b := data[i%64:][:n]
			if got, want := Checksum(b), adler32.Checksum(b); got != want {
				t.Fatalf("%d bytes at %d: %08x, want %08x", n, i%64, got, want)
			}
		}
	}
}

func FuzzChecksum(f *testing.F) {
	f.Add(bytes.Repeat([]byte("checksum"), 40))
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		if got, want := Checksum(b), adler32.Checksum(b); got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
}

func BenchmarkChecksum(b *testing.B) {
	data := make([]byte, 64<<10)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Checksum(data)
	}
}
