package frame_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
)

// The iterators yield the same as Chunk and RawChunk return, from any chunk on.
func TestChunks(t *testing.T) {
	for _, sizes := range [][]int{{1000, 1000, 1000, 40}, {1000, 20, 3000, 4}, {8}} {
		data, b := various(t, plainParams(), sizes)
		_, f, err := readAll(b)
		if err != nil {
			t.Fatal(err)
		}
		for from := range f.NumChunks() + 1 {
			n := from
			for c, err := range f.Chunks(from) {
				start, end, e := f.Extent(n)
				if err != nil || e != nil || c.N != n || c.Start != start || !bytes.Equal(c.Data, data[start:end]) {
					t.Errorf("%v: chunk %d at %d: %d bytes, %v", sizes, c.N, c.Start, len(c.Data), err)
				}
				n++
			}
			if n != f.NumChunks() {
				t.Errorf("%d chunks", n)
			}
			n = from
			for it, err := range f.RawChunks(from) {
				if want, e := f.RawChunk(nil, n); err != nil || e != nil || it.N != n || !bytes.Equal(it.Chunk, want) {
					t.Errorf("%v: raw chunk %d: %v", sizes, n, err)
				}
				n++
			}
			if n != f.NumChunks() {
				t.Errorf("%d raw chunks", n)
			}
		}
		for _, from := range []int64{-1, f.NumChunks() + 1} {
			for c, err := range f.Chunks(from) {
				if !errors.Is(err, blosc2.ErrOption) || c.N != from {
					t.Error(c, err)
				}
			}
			for _, err := range f.RawChunks(from) {
				if !errors.Is(err, blosc2.ErrOption) {
					t.Error(err)
				}
			}
		}
	}
}

// A damaged chunk ends the sequence with its number. So does the end of a truncated
// frame.
func TestChunksError(t *testing.T) {
	data, b := various(t, plainParams(), []int{1000, 1000, 1000, 1000})
	_, f, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(b)
	var at int64
	for it, err := range f.RawChunks(2) {
		if err != nil {
			t.Fatal(err)
		}
		at = it.Offset
		break
	}
	bad[at+40] ^= 1
	if f, err = frame.Open(bytes.NewReader(bad), int64(len(bad))); err != nil {
		t.Fatal(err)
	}
	n := 0
	for c, err := range f.Chunks(0) {
		if c.N != int64(n) || (n == 2) != errors.Is(err, blosc2.ErrChecksum) || n == 2 && c.Data != nil {
			t.Errorf("%d: chunk %d, %v", n, c.N, err)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d turns", n)
	}
	m := newMaker(t, 1000, building{Checks: true})
	for _, c := range cut(data, 1000) {
		m.chunk(c)
	}
	torn := m.unsealed()
	if f, err = frame.Open(bytes.NewReader(torn), int64(len(torn))-3, frame.AllowTorn()); err != nil {
		t.Fatal(err)
	}
	n = 0
	for c, err := range f.Chunks(0) {
		if (n == 3) != errors.Is(err, io.ErrUnexpectedEOF) || c.N != int64(n) {
			t.Errorf("%d: chunk %d, %v", n, c.N, err)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d turns", n)
	}
}

// In steady state a chunk causes no allocation, and stopping early causes none
// either.
func TestChunksAllocs(t *testing.T) {
	m := newMakerOf(t, func() chunk.Params { p := plainParams(); p.TypeSize = 1; return p }(), 1000, building{Checks: true})
	for range 500 {
		m.chunk(ramp(1000))
	}
	m.tail()
	b := m.sealed()
	_, f, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	few := testing.AllocsPerRun(20, func() {
		for _, err := range f.Chunks(0) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	})
	all := testing.AllocsPerRun(20, func() {
		for _, err := range f.Chunks(0) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if all > few+1 {
		t.Errorf("%v allocations for 500 chunks, %v for one", all, few)
	}
}
