package frame_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// Chunks are copied unchanged into one frame, which both libraries read if its chunks
// have one size.
func TestConcat(t *testing.T) {
	const k = 1024
	type sizes = []int
	for _, c := range []struct {
		name   string
		frames []sizes
		opts   []frame.Option
		size   int32 // 0 for a variable chunk size
		chunks int64
		copied bool
	}{
		{"full chunks", []sizes{{64 * k, 64 * k}, {64 * k}, {64 * k, 100}}, nil, 64 * k, 5, true},
		{"short ones", []sizes{{400}, {400}, {40}}, nil, 400, 3, true},
		{"a seam", []sizes{{64 * k, 100}, {64 * k}}, nil, 0, 3, true},
		{"a seam, cut", []sizes{{64 * k, 100}, {64 * k}}, []frame.Option{frame.Uniform()}, 64 * k, 3, false},
		{"a size", []sizes{{64 * k, 100}, {64 * k}}, []frame.Option{frame.ChunkSize(20 * k)}, 20 * k, 7, false},
		{"empty ones", []sizes{{}, {64 * k}, {}, {64 * k, 8}, {}}, nil, 64 * k, 3, true},
		{"nothing", []sizes{{}, {}}, nil, 0, 0, true},
		{"one", []sizes{{64 * k, 8}}, nil, 64 * k, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []byte
			var raw [][]byte
			var paths []string
			for i, sizes := range c.frames {
				data, b := various(t, plainParams(), sizes, meta.Layer{Name: "n", Value: []byte{byte(i)}})
				if len(sizes) == 0 {
					b = emptyFrame(t, i)
				}
				want = append(want, data...)
				paths = append(paths, write(t, b))
				_, f, err := readAll(b)
				if err != nil {
					t.Fatal(err)
				}
				for n := range f.NumChunks() {
					raw = append(raw, must1(f.RawChunk(nil, n)))
				}
			}
			out := filepath.Join(t.TempDir(), "all.b2frame")
			if err := frame.ConcatFiles(out, paths, c.opts...); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			mustHold(t, c.name, b, want)
			rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
			if err != nil || !rep.Sound() || rep.Trailing != 0 {
				t.Errorf("%+v, %v", rep, err)
			}
			_, f, err := readAll(b)
			if err != nil || f.NumChunks() != c.chunks || c.size > 0 && f.Header().ChunkSize != c.size || f.Header().VariableChunks != (c.size == 0 && c.chunks > 0) {
				t.Fatalf("%d chunks of %d, %v", f.NumChunks(), f.Header().ChunkSize, err)
			}
			if v, _ := f.Metalayer("n"); !bytes.Equal(v, []byte{0}) {
				t.Errorf("metalayer %x", v)
			}
			for n := range f.NumChunks() {
				if c.copied && !bytes.Equal(raw[n], must1(f.RawChunk(nil, n))) {
					t.Errorf("chunk %d is not what it was", n)
				}
			}
			for _, lib := range b2test.Oracles(t) {
				if c.size == 0 {
					continue // version 2 reads such a frame as empty; version 3 reads it only chunk by chunk
				}
				if got, err := lib.Decode(t, "read-frame", out); err != nil || !bytes.Equal(got, want) {
					t.Errorf("version %d: %d bytes, %v", lib.Major, len(got), err)
				}
			}
			if err := frame.ConcatFiles(out, paths); !errors.Is(err, fs.ErrExist) {
				t.Errorf("over a file: %v", err)
			}
		})
	}
}

func emptyFrame(t *testing.T, i int) []byte {
	t.Helper()
	m := newMaker(t, 64<<10, building{Checks: true}, meta.Layer{Name: "n", Value: []byte{byte(i)}})
	return m.must(m.b.AppendEmpty(nil))
}

// Version 3 reads a frame of variable chunk size chunk by chunk. Special chunks of the
// index, sparse frames and several frames in a file can be joined too.
func TestConcatForeign(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		dir := t.TempDir()
		in := write(t, ramp(2500))
		one, sparse := filepath.Join(dir, "one.b2frame"), filepath.Join(dir, "sparse")
		lib.Run(t, "write-frame", "--codec", "lz4", "--typesize", "4", "--chunksize", "1000", "--chunks", "1000,zero:1000,1000,value:01020304:1000,nan:1000,500", in, one)
		lib.Run(t, "write-frame", "--sparse", "--codec", "zstd", "--typesize", "4", "--chunksize", "1000", in, sparse)
		_, two := various(t, plainParams(), []int{400, 40})
		several := write(t, append(bytes.Clone(two), two...))
		want := must1(lib.Decode(t, "read-frame", one))
		want = append(want, ramp(2500)...)
		want = append(append(want, ramp(440)...), ramp(440)...)
		for _, o := range [][]frame.Option{nil, {frame.ChunkSize(700)}} {
			out := filepath.Join(t.TempDir(), "all.b2frame")
			if err := frame.ConcatFiles(out, []string{one, sparse, several}, o...); err != nil {
				t.Fatal(err)
			}
			mustHold(t, "joined", must1(os.ReadFile(out)), want)
			if o != nil {
				bothRead(t, out, want, 4)
				continue
			}
			three := b2test.Oracle(t, 3)
			var got []byte
			for n := range 13 {
				c := filepath.Join(t.TempDir(), "chunk")
				if _, err := three.RunErr("read-chunk", "--chunk", itoa(n), out, c); err != nil {
					break
				}
				got = append(got, must1(three.Decode(t, "decompress-chunk", c))...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("version 3 reads %d bytes chunk by chunk, want %d", len(got), len(want))
			}
		}
	}
}

// If frames cannot be joined, the error names the file and the difference.
func TestConcatRefuses(t *testing.T) {
	_, b := various(t, plainParams(), []int{400}, meta.Layer{Name: "dtype", Value: []byte("\xa3<i4")})
	other := plainParams()
	other.TypeSize = 8
	_, wide := various(t, other, []int{400})
	_, floats := various(t, plainParams(), []int{400}, meta.Layer{Name: "dtype", Value: []byte("\xa3<f4")})
	_, array := various(t, plainParams(), []int{400}, meta.Layer{Name: "b2nd", Value: []byte{0x90}})
	for _, c := range []struct {
		second []byte
		kind   error
		names  string
	}{{wide, blosc2.ErrOption, "typesize"}, {floats, blosc2.ErrOption, "dtype"}, {array, blosc2.ErrUnsupported, "b2nd"}, {nil, nil, ""}} {
		out := filepath.Join(t.TempDir(), "out")
		second := write(t, c.second)
		err := frame.ConcatFiles(out, []string{write(t, b), second})
		if err == nil || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.names) || !strings.Contains(err.Error(), second) {
			t.Errorf("%s: %v", c.names, err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*")); left != nil {
			t.Errorf("%q is left", left)
		}
	}
	if err := frame.ConcatFiles(filepath.Join(t.TempDir(), "out"), nil); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
}
