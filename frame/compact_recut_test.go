package frame_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// various makes a sealed frame of data in chunks of the given sizes.
func various(t testing.TB, p chunk.Params, sizes []int, layers ...meta.Layer) (data, file []byte) {
	t.Helper()
	b, err := frame.NewBuilder(&header.Header{TypeSize: int32(p.TypeSize), VariableChunks: true,
		Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters, Layers: layers}, frame.Checks(true))
	if err != nil {
		t.Fatal(err)
	}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{t: t, b: b, enc: enc}
	m.wire = m.must(b.AppendHeader(nil))
	m.head = bytes.Clone(m.wire)
	m.b.SetVLMeta("note", []byte("hello"))
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	data = ramp(sum)
	at := 0
	for _, n := range sizes {
		m.chunk(data[at : at+n])
		at += n
	}
	m.tail()
	return data, m.sealed()
}

func plainParams() chunk.Params {
	p := chunk.Default()
	p.TypeSize, p.PlainZeros = 4, true
	return p
}

// recut compacts a file and checks all that must hold of the result.
func recut(t *testing.T, path string, want []byte, opts ...frame.Option) *frame.Reader {
	t.Helper()
	if err := frame.CompactFile(path, opts...); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, "compacted", b, want)
	_, f, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
	if err != nil || !rep.Sound() || rep.Trailing != 0 || rep.Superseded != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	if f.Order() != frame.Sealed || !f.Checked() {
		t.Errorf("order %d, checked %v", f.Order(), f.Checked())
	}
	if v, ok, err := f.VLMeta("note"); !ok || string(v) != "hello" || err != nil {
		t.Errorf("note %q, %v", v, err)
	}
	return f
}

// bothRead checks that every genuine library reads a file, whole and in part.
func bothRead(t *testing.T, path string, want []byte, typesize int) {
	t.Helper()
	for _, lib := range b2test.Oracles(t) {
		if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("version %d reads %d bytes, want %d: %v", lib.Major, len(got), len(want), err)
		}
		part := filepath.Join(t.TempDir(), "part")
		lo, hi := len(want)/3/typesize, len(want)/typesize
		lib.Run(t, "read-range", "--start", itoa(lo), "--stop", itoa(hi), path, part)
		if got, err := os.ReadFile(part); err != nil || !bytes.Equal(got, want[lo*typesize:hi*typesize]) {
			t.Errorf("version %d reads another part, of %d bytes: %v", lib.Major, len(got), err)
		}
	}
}

// Frames of variable chunk size become such that every C-Blosc2 reads, and what
// has the chosen size at its place is not touched.
func TestRecut(t *testing.T) {
	const k = 1024
	for _, c := range []struct {
		name  string
		sizes []int
		opts  []frame.Option
		size  int
		kept  []int // chunks that are there again as they were, by their old numbers
		at    []int // and where
	}{
		{"records", []int{16, 160, 16, 4, 20}, nil, k * k, nil, nil},
		{"flushed once", []int{64 * k, 64 * k, 16, 64*k - 16, 64 * k, 100}, nil, 64 * k, []int{0, 1, 4, 5}, []int{0, 1, 3, 4}},
		{"flushed at first", []int{16, 64 * k, 64 * k, 64 * k}, nil, 64 * k, nil, nil},
		{"all in place", []int{32 * k, 32 * k, 32 * k}, nil, 32 * k, []int{0, 1, 2}, []int{0, 1, 2}},
		{"two sizes", []int{64 * k, 32 * k, 32 * k, 32 * k, 32 * k, 32 * k, 32 * k}, nil, 32 * k, []int{1, 6}, []int{2, 7}},
		{"given size", []int{64 * k, 16, 32 * k}, []frame.Option{frame.ChunkSize(16*k + 3)}, 16 * k, nil, nil},
		{"one chunk", []int{40}, nil, k * k, []int{0}, []int{0}},
		{"short ones in between", []int{64 * k, 40, 64 * k, 40}, []frame.Option{frame.ChunkSize(64*k + 40)}, 64*k + 40, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, b := various(t, plainParams(), c.sizes, meta.Layer{Name: "mine", Value: []byte("xyz")})
			_, old, err := readAll(b)
			if err != nil {
				t.Fatal(err)
			}
			path := write(t, b)
			if got, err := b2test.Oracle(t, 2).Decode(t, "read-frame", path); len(got) > 0 || err != nil {
				t.Errorf("version 2 reads %d bytes of a frame of variable chunk size: %v", len(got), err)
			}
			f := recut(t, path, data, c.opts...)
			if h := f.Header(); int(h.ChunkSize) != c.size || h.VariableChunks || h.Version != 2 {
				t.Errorf("chunk size %d, version %d", h.ChunkSize, h.Version)
			}
			if v, ok := f.Metalayer("mine"); !ok || string(v) != "xyz" {
				t.Errorf("metalayer %q", v)
			}
			for i, n := range c.kept {
				was, err1 := old.RawChunk(nil, int64(n))
				is, err2 := f.RawChunk(nil, int64(c.at[i]))
				if err1 != nil || err2 != nil || !bytes.Equal(was, is) {
					t.Errorf("chunk %d is not there as it was: %v %v", n, err1, err2)
				}
			}
			bothRead(t, path, data, 4)
			// Once more it stays as it is.
			first, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			recut(t, path, data)
			if again, err := os.ReadFile(path); err != nil || !bytes.Equal(first, again) {
				t.Errorf("another file the second time: %v", err)
			}
		})
	}
}

// With KeepChunkSizes Compact does what it did before.
func TestRecutKeep(t *testing.T) {
	data, b := various(t, plainParams(), []int{1000, 20, 3000})
	path := write(t, b)
	f := recut(t, path, data, frame.KeepChunkSizes())
	if !f.Header().VariableChunks || f.NumChunks() != 3 {
		t.Errorf("%d chunks", f.NumChunks())
	}
	for _, n := range []int{3, -1, 1 << 30} {
		if err := frame.CompactFile(path, frame.ChunkSize(n)); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("chunks of %d bytes: %v", n, err)
		}
	}
}

// Unsealed frames as they come from a pipe, and several in one file; seal does
// it too if asked.
func TestRecutFile(t *testing.T) {
	data, sealed := various(t, plainParams(), []int{1000, 20, 3000})
	m := newMaker(t, 1<<16, building{Checks: true})
	m.b.SetVLMeta("note", []byte("hello"))
	m.chunk(data[:1000])
	m.chunk(data[1000:1020])
	m.chunk(data[1020:])
	m.tail()
	path := write(t, m.unsealed())
	if f := recut(t, path, data); f.Header().ChunkSize != 1<<16 || f.NumChunks() != 1 {
		t.Errorf("chunk size %d", f.Header().ChunkSize)
	}
	for _, c := range []struct {
		opts []frame.Option
		size int32
	}{{nil, 0}, {[]frame.Option{frame.Uniform()}, 1 << 16}, {[]frame.Option{frame.ChunkSize(2000)}, 2000}} {
		path := write(t, m.unsealed())
		if err := frame.SealFile(path, c.opts...); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mustHold(t, "sealed", b, data)
		if _, f, err := readAll(b); err != nil || f.Header().ChunkSize != c.size {
			t.Errorf("chunk size %d, want %d: %v", f.Header().ChunkSize, c.size, err)
		}
	}
	path = write(t, slices.Concat(sealed, m.unsealed(), sealed))
	if err := frame.CompactFile(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := walk(bytes.NewReader(b)); err != nil || !bytes.Equal(got, slices.Concat(data, data, data)) {
		t.Errorf("three frames: %d bytes, %v", len(got), err)
	}
	rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
	if err != nil || !rep.Sound() || rep.Frames != 3 || rep.Chunks != 3 || rep.Trailing != 0 || rep.Unsealed != 0 {
		t.Errorf("three frames: %+v, %v", rep, err)
	}
}
