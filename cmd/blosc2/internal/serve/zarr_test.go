package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A zarrCase is an array to be read by programs that support Zarr.
type zarrCase struct {
	dtype  string
	shape  []int64
	chunks []int64
}

var zarrCases = []zarrCase{
	{"?", []int64{7}, nil}, {"i1", []int64{5, 3}, []int64{2, 2}}, {"<u2", []int64{10, 11, 12}, []int64{4, 5, 6}}, {"<i4", []int64{}, nil},
	{"<i8", []int64{1000}, []int64{300}}, {"<u8", []int64{3, 1, 4, 1, 5}, []int64{2, 1, 3, 1, 2}}, {"<f2", []int64{33}, nil}, {"<f4", []int64{64, 65}, []int64{32, 32}},
	{"<f8", []int64{17, 19}, []int64{17, 5}}, {"<c8", []int64{6, 7}, nil}, {"<c16", []int64{31}, []int64{10}}, {">f8", []int64{20, 3}, []int64{6, 2}}, {">i2", []int64{9}, nil},
	{"<M8[ns]", []int64{40}, nil}, {"<m8[25s]", []int64{4, 4}, nil}, {"S6", []int64{12}, []int64{5}}, {"<U3", []int64{8}, nil}, {"V5", []int64{21}, []int64{8}},
	{"[('a', '<i4'), ('b', '<f8')]", []int64{25}, []int64{10}}, {"[('a', '<i4'), ('b', '<f4', (3,))]", []int64{25}, []int64{10}},
}

// makeZarrFolder writes an array for each case, and returns the digests of their
// items.
func makeZarrFolder(t *testing.T) (dir string, digests []string) {
	dir = t.TempDir()
	for n, c := range zarrCases {
		size := int64(parseType(t, c.dtype).Size)
		items := make([]byte, product(c.shape)*size)
		for i := range items {
			items[i] = byte(i*7 + i/100)
			switch {
			case c.dtype == "?":
				items[i] = byte(i) & 1
			case c.dtype == "S6":
				items[i] = 'a' + byte(i%26)
			case c.dtype == "<U3":
				items[i] = []byte{'a' + byte(i/4%26), 0, 0, 0}[i%4]
			}
		}
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.b2nd", n)))
		if err != nil {
			t.Fatal(err)
		}
		w, err := b2nd.NewWriter(f, b2nd.Spec{Shape: c.shape, DType: c.dtype, ChunkShape: c.chunks})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(items); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if c.dtype[0] == '>' { // the programs convert numbers to the byte order of the machine
			for i := 0; i < len(items); i += int(size) {
				slices.Reverse(items[i : i+int(size)])
			}
		}
		sum := sha256.Sum256(items)
		digests = append(digests, hex.EncodeToString(sum[:]))
	}
	return dir, digests
}

// The chunks have the sizes of the array's chunks, and are padded with zeros.
func TestZarrChunks(t *testing.T) {
	dir := makeFolder(t)
	_, h := newServer(t, dir, nil)
	_, b := get(t, h.URL+"/zarr/cube.b2nd/c/2/2/2")
	chunk, err := filter.DecodeZarr(nil, b, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 5*64*70*4)
	part := window(t, filepath.Join(dir, "cube.b2nd"), "10:,128:,140:")
	for i := range 2 {
		for j := range 22 {
			row := (i*22 + j) * 60 * 4
			copy(want[(i*64+j)*70*4:], part[row:row+60*4])
		}
	}
	if !slices.Equal(chunk, want) {
		t.Error("the chunk differs")
	}
	_, b = get(t, h.URL+"/zarr/zarr.json")
	var group struct {
		ConsolidatedMetadata struct {
			Metadata map[string]struct {
				NodeType string `json:"node_type"`
			}
		} `json:"consolidated_metadata"`
	}
	if err := json.Unmarshal(b, &group); err != nil || group.ConsolidatedMetadata.Metadata["cube.b2nd"].NodeType != "array" || group.ConsolidatedMetadata.Metadata["sub"].NodeType != "group" {
		t.Errorf("the group: %v, %s", err, b)
	}
}

// neighbour returns a path in the cache that testdata/zarr/setup makes.
func neighbour(t *testing.T, pattern string) string {
	t.Helper()
	cache := os.Getenv("BLOSC2_NEIGHBOURS")
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(base, "blosc2-neighbours")
	}
	found, _ := filepath.Glob(filepath.Join(cache, pattern))
	if len(found) == 0 {
		b2test.Missing(t, pattern+", which testdata/zarr/setup installs")
	}
	return found[0]
}

// compareZarr compares what a program printed about the arrays of some cases.
func compareZarr(t *testing.T, cmd *exec.Cmd, cases []int, digests []string) {
	t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(cases) {
		t.Fatalf("%d arrays were read, want %d", len(lines), len(cases))
	}
	for i, line := range lines {
		var got struct {
			Shape         []int64
			DType, Digest string
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		c := zarrCases[cases[i]]
		if !slices.Equal(got.Shape, c.shape) || got.Digest != digests[cases[i]] {
			t.Errorf("%s %v: read as %s %v, or other items", c.dtype, c.shape, got.DType, got.Shape)
		}
	}
}

// Zarr-python reads arrays of every type.
func TestZarrPython(t *testing.T) {
	t.Parallel()
	python := neighbour(t, "zarr/usr/bin/python3.*")
	usr := filepath.Dir(filepath.Dir(python))
	loader := neighbour(t, "zarr/usr/lib/*/ld-linux*.so.*")
	dir, digests := makeZarrFolder(t)
	_, h := newServer(t, dir, nil)
	lib := filepath.Dir(loader)
	args := []string{"--library-path", strings.Join([]string{lib, lib + "/blas", lib + "/lapack"}, ":"), python, "testdata/zarr/read.py"}
	var cases []int
	for n := range zarrCases {
		cases = append(cases, n)
		args = append(args, fmt.Sprintf("%s/zarr/%d.b2nd", h.URL, n))
	}
	cmd := exec.Command(loader, args...)
	cmd.Env = append(os.Environ(), "PYTHONHOME="+usr, "PYTHONPATH="+filepath.Join(usr, "lib/python3/dist-packages"), "PYTHONNOUSERSITE=1", "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=ignore", "no_proxy=*")
	compareZarr(t, cmd, cases, digests)
}

// Zarrita reads arrays of common types of numbers.
func TestZarrita(t *testing.T) {
	t.Parallel()
	module := neighbour(t, "node/node_modules/zarrita/dist/src/index.js")
	node, err := exec.LookPath("node")
	if err != nil {
		b2test.Missing(t, "node: "+err.Error())
	}
	dir, digests := makeZarrFolder(t)
	_, h := newServer(t, dir, nil)
	args := []string{"testdata/zarr/read.mjs", module}
	var cases []int
	for n, c := range zarrCases {
		if slices.Contains([]string{"i1", "<u2", "<i8", "<u8", "<f4", "<f8"}, c.dtype) {
			cases = append(cases, n)
			args = append(args, fmt.Sprintf("%s/zarr/%d.b2nd", h.URL, n))
		}
	}
	compareZarr(t, exec.Command(node, args...), cases, digests)
}
