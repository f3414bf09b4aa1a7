package frame_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// Frames of variable chunk size are converted to ones that every C-Blosc2 reads. Chunks
// that already have the chosen size and position are copied.
func TestRecut(t *testing.T) {
	const k = 1024
	for _, c := range []struct {
		name  string
		sizes []int
		opts  []frame.Option
		size  int
		kept  []int // old numbers of the chunks that are copied
		at    []int // new numbers of these chunks
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
			// A second Compact does not change the frame.
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

// With KeepChunkSizes Compact does not recompress anything.
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

// CompactFile converts unsealed frames, such as arrive from a pipe, and several frames in
// one file. So does SealFile with Uniform.
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
