//go:build unix

package codecs_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// A guarded is memory between two inaccessible pages.
type guarded []byte

func newGuarded(t *testing.T, n int) guarded {
	t.Helper()
	page := os.Getpagesize()
	n = (n + page - 1) / page * page
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
	return guarded(m[page : n+page : n+page])
}

// hold returns n bytes of g, at its end or at its beginning.
func (g guarded) hold(n int, atEnd bool) []byte {
	if atEnd {
		return g[len(g)-n:]
	}
	return g[:n:n]
}

// copied returns a copy of b in g, as hold places it.
func (g guarded) copied(b []byte, atEnd bool) []byte {
	c := g.hold(len(b), atEnd)
	copy(c, b)
	return c
}

// copies returns data of literals and matches. In every second case they are few, so that
// reads and writes in large steps are near both ends.
func copies(r *rand.Rand) (data []byte) {
	size, literals, longest := 1+r.IntN(1<<(3+r.IntN(15))), 1+r.IntN(60), 1+r.IntN(1<<(1+r.IntN(9)))
	few := r.IntN(2) == 0
	if few {
		size, longest = 40+r.IntN(200), 40
	}
	for len(data) < size {
		n := r.IntN(literals)
		switch {
		case len(data) == 0:
			n = 20 + r.IntN(40)
		case few:
			n = 0
		}
		for range n {
			data = append(data, byte(r.Uint32()))
		}
		if len(data) > 0 {
			distance := 1 + r.IntN(min(len(data), 1<<r.IntN(17)))
			for range 1 + r.IntN(longest) {
				data = append(data, data[len(data)-distance])
			}
		}
	}
	return data[:size]
}

// No codec reads or writes outside the slices passed to it, for valid and damaged
// streams, and for destinations that are too small.
func TestNothingOutside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	const most = 1 << 18
	source, stream, back := newGuarded(t, most), newGuarded(t, 2*most), newGuarded(t, most)
	rounds := 1000
	if testing.Short() {
		rounds = 60
	}
	for _, id := range codecs.IDs() {
		c, err := codecs.New(id)
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(0)
		within := func(what string, do func()) {
			defer func() {
				if fault := recover(); fault != nil {
					t.Fatalf("%v, seed %d: %s: %v", id, seed, what, fault)
				}
			}()
			do()
		}
		for ; seed < uint64(rounds); seed++ {
			r := rand.New(rand.NewPCG(seed, 12))
			data := copies(r)
			p := codecs.Params{Level: 1 + r.IntN(9), TypeSize: 1 + r.IntN(8), Values: r.IntN(2) == 0, Planes: r.IntN(2) == 0}
			src := source.copied(data, r.IntN(3) > 0)
			n := 0
			for _, room := range []int{len(data), r.IntN(len(data)), len(data) + len(data)/8 + 100} {
				dst := stream.hold(room, r.IntN(3) > 0)
				within(fmt.Sprintf("encoding %d bytes to %d", len(data), room), func() { n, err = c.Encode(dst, src, p) })
				if err != nil || n == 0 {
					continue // the codec is for arrays, or the stream is stored
				}
				coded := bytes.Clone(dst[:n])
				for k := range 4 {
					bad := stream.copied(coded, k != 1)
					if k > 1 {
						bad[r.IntN(n)] ^= 1 << r.IntN(8)
					}
					if k > 2 {
						bad = stream.copied(bad[:r.IntN(n)], true)
					}
					dst := back.hold(len(data), k != 1)
					within(fmt.Sprintf("decoding %d bytes to %d", len(bad), len(data)), func() { _, err = c.Decode(dst, bad, p) })
					if k < 2 && (err != nil || !bytes.Equal(dst, data)) {
						t.Errorf("%v, seed %d: decoded to other bytes, error %v", id, seed, err)
					}
				}
			}
		}
	}
}

// Zstd 7 and 8 try a search on the last bytes of a block. A match may cover all of these, up
// to the end of the data.
func TestMatchAtEnd(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	const size = 128 << 10
	source, back := newGuarded(t, size), make([]byte, size)
	r := rand.New(rand.NewPCG(8, 31))
	for level := 7; level <= 8; level++ {
		for _, n := range []int{100 << 10, size} {
			data := source.hold(n, true)
			copied := n - 20<<10
			for i := range data {
				data[i] = 0
				if i < copied {
					data[i] = byte(r.Uint32())
				}
			}
			for i := 8 << 10; i+96 < copied; i += 96 {
				copy(data[i:i+64], data[r.IntN(i-64):])
			}
			c, err := codecs.New(blosc2.CodecZstd)
			if err != nil {
				t.Fatal(err)
			}
			p := codecs.Params{Level: level, TypeSize: 1}
			dst := make([]byte, n)
			m, err := c.Encode(dst, data, p)
			if err != nil || m == 0 {
				t.Fatalf("level %d, %d bytes: encoded to %d, error %v", level, n, m, err)
			}
			if _, err := c.Decode(back[:n], dst[:m], p); err != nil || !bytes.Equal(back[:n], data) {
				t.Errorf("level %d, %d bytes: decoded to other bytes, error %v", level, n, err)
			}
		}
	}
}
