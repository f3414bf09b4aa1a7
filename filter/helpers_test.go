package filter_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// neighbours is the folder of files that other programs wrote.
func neighbours(t testing.TB, kind string) string {
	return filepath.Join(b2test.Shared(t), "corpus", "neighbours", kind)
}

// readFile reads a file of a test.
func readFile(t testing.TB, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readManifest reads the manifest of a folder into v.
func readManifest(t testing.TB, dir string, v any) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, dir, "MANIFEST.json"), v); err != nil {
		t.Fatal(err)
	}
}

// An hdf5Chunk is an entry in the manifest of the HDF5 files.
type hdf5Chunk struct {
	Path    string
	Payload struct {
		Path   string
		NBytes int
		SHA256 string
	}
	Filter       int
	FilterValues []uint32 `json:"filter_values"`
	ChunkShape   []int    `json:"chunk_shape"`
	DType        any
}

func hdf5Chunks(t testing.TB) (dir string, chunks []hdf5Chunk) {
	t.Helper()
	dir = neighbours(t, "hdf5")
	var m struct {
		Count int
		Files []hdf5Chunk
	}
	readManifest(t, dir, &m)
	if m.Count == 0 || len(m.Files) != m.Count {
		t.Fatalf("%d entries, the manifest says %d", len(m.Files), m.Count)
	}
	return dir, m.Files
}

// ramp returns n bytes of slowly growing items.
func ramp(n, item int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((i / item) >> (8 * (i % min(item, 3))))
	}
	return b
}

func writeFile(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
