package zarr_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

// Every store of the corpus is read as its manifest says.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "zarr")
	b, err := os.ReadFile(filepath.Join(dir, "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Files []struct {
			Path   string
			Shape  []int64
			SHA256 string `json:"array_sha256"`
		} `json:"stores"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Files {
		a, err := zarr.Open(os.DirFS(dir), e.Path)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		got := make([]byte, 4*e.Shape[0]*e.Shape[1])
		if err := a.ReadWindow(got, b2nd.All(a.Shape)); err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != e.SHA256 {
			t.Errorf("%s: other items", e.Path)
		}
		part := make([]byte, 4*7*6)
		if err := a.ReadWindow(part, b2nd.Window{{Start: 35, Stop: 49, Step: 2}, {Start: 40, Stop: 58, Step: 3}}); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		for i := range 7 {
			for k := range 6 {
				if at := 4 * ((35+2*i)*90 + 40 + 3*k); !bytes.Equal(part[4*(6*i+k):][:4], got[at:at+4]) {
					t.Fatalf("%s: item %d, %d of the window", e.Path, i, k)
				}
			}
		}
		// A window without its first dimension.
		row := make([]byte, 4*25)
		if err := a.ReadWindow(row, b2nd.Window{{Start: 41, Stop: 42, Step: 1, Drop: true}, {Start: 30, Stop: 80, Step: 2}}); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		for k := range 25 {
			if at := 4 * (41*90 + 30 + 2*k); !bytes.Equal(row[4*k:][:4], got[at:at+4]) {
				t.Fatalf("%s: item %d of row 41", e.Path, k)
			}
		}
	}
	if len(m.Files) < 12 {
		t.Errorf("%d stores", len(m.Files))
	}
}

// Arrays survive a round trip, with any partition.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		shape, chunks, blocks []int64
		dtype                 string
	}{
		{[]int64{100, 90}, []int64{40, 50}, []int64{20, 10}, "<f4"},
		{[]int64{13, 11, 7}, []int64{5, 4, 7}, []int64{3, 2, 7}, ">i2"},
		{[]int64{1000}, []int64{300}, []int64{100}, "|u1"},
		{[]int64{}, nil, nil, "<c16"},
		{[]int64{0, 3}, []int64{1, 3}, []int64{1, 3}, "|b1"},
	} {
		a := makeArray(t, c.shape, c.chunks, c.blocks, c.dtype)
		m, err := zarr.Of(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{}
		err = zarr.Write(m, a, func(name string, data []byte) error {
			files["g/"+name] = &fstest.MapFile{Data: bytes.Clone(data)}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		names, err := zarr.Arrays(files)
		if err != nil || len(names) != 1 || names[0] != "g" {
			t.Fatal(names, err)
		}
		z, err := zarr.Open(files, "g")
		if err != nil {
			t.Fatal(err)
		}
		want, err := a.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if err := z.ReadWindow(got, b2nd.All(z.Shape)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %v", c, err)
		}
		for name, f := range files {
			if name == "g/zarr.json" || len(f.Data) == 0 {
				continue
			}
			f.Data[len(f.Data)-20] ^= 1 // damage the index
			if err := mustOpen(t, files).ReadWindow(got, b2nd.All(z.Shape)); !errors.Is(err, blosc2.ErrChecksum) {
				t.Errorf("%s damaged: %v", name, err)
			}
			f.Data[len(f.Data)-20] ^= 1
		}
	}
}

// Chunks in Fortran order, big-endian items and fill values are read.
func TestOrder(t *testing.T) {
	files := fstest.MapFS{
		"v2/.zarray": {Data: []byte(`{"zarr_format":2,"shape":[3,3],"chunks":[2,3],"dtype":">i2","compressor":null,"fill_value":7,"order":"F","filters":null}`)},
		"v2/0.0":     {Data: []byte{0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6}},
		"v3/zarr.json": {Data: []byte(`{"zarr_format":3,"node_type":"array","shape":[2,3],"data_type":"int16","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3]}},
			"chunk_key_encoding":{"name":"v2"},"fill_value":"0x0007","codecs":[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"bytes","configuration":{"endian":"little"}}],"attributes":{"a":1}}`)},
		"v3/0.0": {Data: []byte{1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0}},
	}
	for name, want := range map[string][]byte{
		"v2": {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 7, 0, 7},
		"v3": {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0},
	} {
		a, err := zarr.Open(files, name)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if err := a.ReadWindow(got, b2nd.All(a.Shape)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: % x, %v", name, got, err)
		}
	}
}

// known reports an error that is not about the metadata, the data or a limit.
func known(t *testing.T, err error) {
	t.Helper()
	for _, is := range []error{nil, blosc2.ErrCorrupt, blosc2.ErrUnsupported, blosc2.ErrTooLarge, blosc2.ErrChecksum, blosc2.ErrOption, io.ErrUnexpectedEOF, fs.ErrNotExist} {
		if errors.Is(err, is) {
			return
		}
	}
	t.Errorf("error of another kind: %T: %v", err, err)
}

// FuzzMetadata reads an array with any metadata and chunk. Errors are of a known kind.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"zarr_format":2,"shape":[3,3],"chunks":[2,3],"dtype":">i2","compressor":{"id":"blosc","cname":"lz4","clevel":5,"shuffle":1,"blocksize":0},"fill_value":"NaN","order":"F","filters":null}`), []byte("x"))
	f.Add([]byte(`{"zarr_format":3,"node_type":"array","shape":[2,3],"data_type":"float32","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3]}},"chunk_key_encoding":{"name":"default"},"fill_value":"NaN","codecs":[{"name":"sharding_indexed","configuration":{"chunk_shape":[1,3],"codecs":[{"name":"bytes"},{"name":"blosc","configuration":{"typesize":4,"cname":"zstd","clevel":5,"shuffle":"shuffle","blocksize":0}}],"index_codecs":[{"name":"bytes"},{"name":"crc32c"}]}}]}`), []byte("y"))
	f.Fuzz(func(t *testing.T, text, chunk []byte) {
		for _, name := range []string{".zarray", "zarr.json"} {
			files := fstest.MapFS{name: {Data: text}, "0.0": {Data: chunk}, "c/0/0": {Data: chunk}}
			a, err := zarr.Open(files, ".")
			if err != nil {
				known(t, err)
				continue
			}
			size := int64(a.DType.Size)
			for d, n := range a.Shape {
				if size *= min(n, a.Chunks[d]); size > 1<<20 {
					return
				}
			}
			for _, n := range a.Chunks {
				if n > 1<<16 {
					return
				}
			}
			w := b2nd.All(a.Shape)
			for d := range w {
				w[d].Stop = min(w[d].Stop, a.Chunks[d])
			}
			known(t, a.ReadWindow(make([]byte, size), w))
			if a.Files() < 1<<10 {
				_, err := a.StoredSizes(t.Context())
				known(t, err)
			}
		}
	})
}
