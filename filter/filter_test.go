package filter_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// Every chunk of HDF5 files in the corpus decodes to its payload, with the values of its
// filter and without. Our chunks of the payload decode to it too.
func TestHDF5Corpus(t *testing.T) {
	dir, chunks := hdf5Chunks(t)
	seen := map[int]int{}
	for _, e := range chunks {
		decode, encode := filter.DecodeBlosc2, filter.EncodeBlosc2
		if e.Filter == filter.IDBlosc {
			decode, encode = filter.DecodeBlosc, filter.EncodeBlosc
		}
		stored, want := readFile(t, dir, e.Path), readFile(t, dir, e.Payload.Path)
		if b2test.Digest(want) != e.Payload.SHA256 || len(want) != e.Payload.NBytes {
			t.Fatalf("%s is not what the manifest says", e.Payload.Path)
		}
		for _, values := range [][]uint32{e.FilterValues, nil} {
			got, err := decode([]byte("x"), stored, values)
			if err != nil || !bytes.Equal(got, append([]byte("x"), want...)) {
				t.Errorf("%s with values %d: %d bytes, want %d: %v", e.Path, values, len(got)-1, len(want), err)
			}
		}
		again, err := encode([]byte("y"), want, e.FilterValues)
		if err != nil || again[0] != 'y' {
			t.Errorf("%s: encoding: %v", e.Path, err)
			continue
		}
		got, err := decode(nil, again[1:], e.FilterValues)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: what was encoded decodes to %d bytes: %v", e.Path, len(got), err)
		}
		if e.Filter == filter.IDBlosc2 && len(e.ChunkShape) > 1 {
			sameShapes(t, e, stored, again[1:])
		}
		seen[e.Filter]++
	}
	if seen[filter.IDBlosc]+seen[filter.IDBlosc2] != len(chunks) || seen[filter.IDBlosc] == 0 || seen[filter.IDBlosc2] == 0 {
		t.Errorf("saw %v of %d chunks", seen, len(chunks))
	}
}

// sameShapes compares the shapes of the array that the genuine filter made with those of
// ours.
func sameShapes(t *testing.T, e hdf5Chunk, genuine, ours []byte) {
	t.Helper()
	var d [2]*meta.B2ND
	for i, b := range [][]byte{genuine, ours} {
		f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			return
		}
		value, _ := f.Metalayer(meta.B2NDName)
		if d[i], err = meta.ParseB2ND(value); err != nil {
			t.Errorf("%s: %v", e.Path, err)
			return
		}
	}
	if a, b := fmt.Sprint(*d[0]), fmt.Sprint(*d[1]); a != b {
		t.Errorf("%s: array %s, ours %s", e.Path, a, b)
	}
}

// Chunks of every rank are equal after encoding and decoding, with all settings, with
// items of every size, and with blocks that do not divide them. b2nd reads the arrays.
func TestBlosc2Shapes(t *testing.T) {
	for _, c := range []struct {
		item  int
		shape []int
	}{
		{4, []int{1000}}, {300, []int{70}}, {1, []int{1}}, {4, []int{1, 1}}, {4, []int{400, 301}}, {300, []int{33, 41}},
		{8, []int{90, 3, 200}}, {256, []int{9, 10, 11}}, {1, []int{7, 6, 5, 4, 3}}, {2, []int{1, 300000}}, {2, []int{300000, 1}},
		{2, []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}}, {70000, []int{3, 5}}, {300000, []int{3, 5}},
	} {
		for _, codec := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecZstd} {
			step := 3
			if b2test.Race || testing.Short() {
				step = 9
			}
			for level := 0; level <= 9; level += step {
				values, err := filter.Blosc2Values(filter.Settings{Codec: codec, Level: level, Shuffle: blosc2.FilterShuffle}, c.item, c.shape)
				if err != nil {
					t.Fatal(err)
				}
				src := ramp(int(values[3]), c.item)
				stored, err := filter.EncodeBlosc2(nil, src, values)
				if err != nil {
					t.Errorf("%d × %v: %v", c.item, c.shape, err)
					continue
				}
				got, err := filter.DecodeBlosc2(nil, stored, values)
				if err != nil || !bytes.Equal(got, src) {
					t.Errorf("%d × %v, %s level %d: %d bytes of %d, %v", c.item, c.shape, codec, level, len(got), len(src), err)
				}
				if len(c.shape) == 1 {
					continue
				}
				a, err := b2nd.Open(bytes.NewReader(stored), int64(len(stored)))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, src) {
					t.Errorf("%d × %v: b2nd reads %d bytes, %v", c.item, c.shape, len(got), err)
				}
			}
		}
	}
}

// smallTypeSize returns a frame as the filter of PyTables makes it from items of more
// than 255 bytes in two dimensions: its header states a typesize of one byte.
func smallTypeSize(t *testing.T, src []byte, values []uint32) []byte {
	t.Helper()
	stored, err := filter.EncodeBlosc2(nil, src, values)
	if err != nil {
		t.Fatal(err)
	}
	n, err := header.Size(stored)
	if err != nil {
		t.Fatal(err)
	}
	h, err := header.Parse(stored[:n])
	if err != nil {
		t.Fatal(err)
	}
	h.TypeSize = 1
	out, err := h.Append(nil)
	if err != nil || len(out) != n {
		t.Fatal(err)
	}
	return append(out, stored[n:]...)
}

// Items of more than 255 bytes are read if only the dtype states their size. Both
// DecodeBlosc2 and b2nd read them.
func TestLargeItems(t *testing.T) {
	for _, shape := range [][]int{{20, 30}, {5, 6, 7}} {
		values, err := filter.Blosc2Values(filter.Settings{Codec: blosc2.CodecZstd, Level: 5, Shuffle: blosc2.FilterShuffle}, 300, shape)
		if err != nil {
			t.Fatal(err)
		}
		src := ramp(int(values[3]), 300)
		stored := smallTypeSize(t, src, values)
		got, err := filter.DecodeBlosc2(nil, stored, values)
		if err != nil || !bytes.Equal(got, src) {
			t.Errorf("%v: %d bytes of %d, %v", shape, len(got), len(src), err)
		}
		a, err := b2nd.Open(bytes.NewReader(stored), int64(len(stored)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, src) || a.ItemSize() != 300 {
			t.Errorf("%v: b2nd reads %d bytes of items of %d, %v", shape, len(got), a.ItemSize(), err)
		}
	}
}

// The genuine library reads what EncodeBlosc2 writes.
func TestGenuineReads(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		for _, c := range []struct {
			item    int
			shape   []int
			command string
		}{{4, []int{5000}, "read-frame"}, {8, []int{90, 41, 20}, "read-b2nd"}, {300, []int{33, 41}, "read-b2nd"}} {
			for _, codec := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecZstd} {
				values, err := filter.Blosc2Values(filter.Settings{Codec: codec, Level: 5, Shuffle: blosc2.FilterBitShuffle}, c.item, c.shape)
				if err != nil {
					t.Fatal(err)
				}
				for name, src := range map[string][]byte{"ramp": ramp(int(values[3]), c.item), "zeros": make([]byte, values[3])} {
					stored, err := filter.EncodeBlosc2(nil, src, values)
					if err != nil {
						t.Fatal(err)
					}
					path := filepath.Join(t.TempDir(), "chunk")
					writeFile(t, path, stored)
					if got, err := lib.Decode(t, c.command, path); err != nil || !bytes.Equal(got, src) {
						t.Errorf("C-Blosc2 %d, %s of %d × %v: %d bytes, %v", lib.Major, name, c.item, c.shape, len(got), err)
					}
				}
			}
		}
	}
}

// Frames of several chunks, which programs store in HDF5 files themselves, are read as a
// whole, in every form that a stream.Writer makes.
func TestManyChunks(t *testing.T) {
	var buf bytes.Buffer
	spec := b2nd.Spec{Shape: []int64{50, 60}, DType: "<i4", ChunkShape: []int64{20, 30}, BlockShape: []int64{7, 11}}
	w, err := b2nd.NewWriter(&buf, spec)
	if err != nil {
		t.Fatal(err)
	}
	src := ramp(50*60*4, 4)
	if _, err := w.Write(src); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := filter.DecodeBlosc2(nil, buf.Bytes(), []uint32{1, 0, 4, uint32(len(src))})
	if err != nil || !bytes.Equal(got, src) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := filter.DecodeBlosc2(nil, buf.Bytes(), []uint32{1, 0, 4, 100}); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("12,000 bytes where 100 are expected: %v", err)
	}
}

// A special chunk that is only an entry of the index decodes to its values.
func TestSpecials(t *testing.T) {
	for _, full := range []func(*bytes.Buffer, b2nd.Spec) error{
		func(b *bytes.Buffer, s b2nd.Spec) error { return b2nd.Zeros(b, s) },
		func(b *bytes.Buffer, s b2nd.Spec) error { return b2nd.NaNs(b, s) },
		func(b *bytes.Buffer, s b2nd.Spec) error { return b2nd.Uninit(b, s) },
	} {
		for _, shape := range [][]int64{{}, {90}, {31, 43}} {
			var buf bytes.Buffer
			if err := full(&buf, b2nd.Spec{Shape: shape, DType: "<f8"}); err != nil {
				t.Fatal(err)
			}
			a, err := b2nd.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
			if err != nil {
				t.Fatal(err)
			}
			want, err := a.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			got, err := filter.DecodeBlosc2(nil, buf.Bytes(), nil)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("shape %v: % x, want % x: %v", shape, got[:min(8, len(got))], want[:8], err)
			}
		}
	}
}

// Invalid settings and chunks that are too large return errors.
func TestRefuses(t *testing.T) {
	good := []uint32{1, 0, 4, 400, 5, 1, 5, 2, 10, 10}
	src := ramp(400, 4)
	stored, err := filter.EncodeBlosc2(nil, src, good)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		at int
		v  uint32
	}{{2, 0}, {2, 3}, {2, 1 << 31}, {4, 10}, {5, 300}, {5, 77}, {6, 99}, {6, 300}, {7, 1}, {7, 3}, {7, 99}, {8, 0}, {8, 11}, {9, 1 << 31}} {
		values := append([]uint32(nil), good...)
		values[c.at] = c.v
		if b, err := filter.EncodeBlosc2([]byte("x"), src, values); err == nil || string(b) != "x" {
			t.Errorf("%d: value %d is %d: no error", i, c.at, c.v)
		}
	}
	if _, err := filter.EncodeBlosc2(nil, src, good[:3]); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("three values: %v", err)
	}
	if _, err := filter.EncodeBlosc2(nil, nil, good[:7]); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("no data: %v", err)
	}
	huge := []uint32{1, 0, 4, 100}
	if _, err := filter.DecodeBlosc2(nil, stored, []uint32{1, 0, 4, 4}); err != nil {
		t.Errorf("a few bytes more than expected: %v", err)
	}
	zeros, err := chunk.AppendZeros(nil, 1<<20, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filter.DecodeBlosc(nil, zeros, huge); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("1 MiB where 100 bytes are expected: %v", err)
	}
	if _, err := filter.DecodeZarr(nil, zeros, 100); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("1 MiB where 100 bytes are expected: %v", err)
	}
	if _, err := filter.BloscValues(filter.Settings{Codec: 99}, 4, []int{10}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("codec 99: %v", err)
	}
	for _, shape := range [][]int{{0}, {-1}, {1 << 30}, {1 << 20, 1 << 20}} {
		if _, err := filter.Blosc2Values(filter.Settings{}, 4, shape); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("shape %v: %v", shape, err)
		}
	}
}

// If a frame is truncated or any byte of it changes, decoding returns an error or other
// data. It never panics.
func TestDamage(t *testing.T) {
	dir, chunks := hdf5Chunks(t)
	for _, e := range chunks {
		if e.Filter != filter.IDBlosc2 || e.Payload.NBytes > 4096 {
			continue
		}
		stored := readFile(t, dir, e.Path)
		for n := range stored {
			if b, err := filter.DecodeBlosc2(nil, stored[:n], e.FilterValues); err == nil {
				t.Errorf("%s cut at %d: %d bytes without an error", e.Path, n, len(b))
			}
			bad := append([]byte(nil), stored...)
			bad[n] ^= 1 << (n % 8)
			filter.DecodeBlosc2(nil, bad, e.FilterValues)
		}
	}
}
