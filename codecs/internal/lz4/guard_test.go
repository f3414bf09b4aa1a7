//go:build unix && amd64 && !purego

package lz4

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// guarded returns n bytes between two inaccessible pages.
func guarded(t *testing.T, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	m, err := unix.Mmap(-1, 0, n+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(m) })
	for _, guard := range [][]byte{m[:page], m[n+page:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return m[page : n+page : n+page]
}

// The encoders for this processor and for older ones read and write nothing outside
// their slices, wherever data and destination end.
func TestEncodeGuarded(t *testing.T) {
	const size = 1 << 18
	src, dst, want := guarded(t, size), guarded(t, size), make([]byte, size)
	e := new(Encoder)
	tiers := kernels.Tiers()
	tiers = tiers[max(0, len(tiers)-2):]
	defer kernels.Use(kernels.Current())
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 9))
		if err := kernels.Use(tiers[seed%uint64(len(tiers))]); err != nil {
			t.Fatal(err)
		}
		data, _ := blocks(seed / 2)
		if period := 1 + r.IntN(70); seed%3 == 0 {
			for i := period; i < len(data); i++ {
				if r.IntN(60) > 0 {
					data[i] = data[i-period]
				}
			}
		}
		acceleration := 1 + r.IntN(10)
		n := e.Encode(want, data, acceleration)
		for _, room := range []int{n, n - 1, max(n-r.IntN(30), 0), r.IntN(n + 1), n + r.IntN(70)} {
			for _, at := range []int{0, 1} {
				s := src[at*(size-len(data)):][:len(data)]
				d := dst[at*(size-room):][:room:room]
				copy(s, data)
				if m := e.Encode(d, s, acceleration); m > 0 && !bytes.Equal(d[:m], want[:n]) {
					t.Fatalf("seed %d, %d bytes into %d: %d bytes, elsewhere %d", seed, len(data), room, m, n)
				}
			}
		}
	}
}
