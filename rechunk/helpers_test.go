package rechunk

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/b2nd"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// makeArray writes an array into a file, and returns its bytes and the array.
func makeArray(t testing.TB, spec b2nd.Spec, data []byte) ([]byte, *b2nd.Array) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "a.b2nd"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := b2nd.NewWriter(file, spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return b, a
}

// cutAtRandom sets the shapes of chunks and blocks.
func cutAtRandom(r *rand.Rand, spec b2nd.Spec) b2nd.Spec {
	spec.ChunkShape, spec.BlockShape = make([]int64, len(spec.Shape)), make([]int64, len(spec.Shape))
	for d, n := range spec.Shape {
		spec.ChunkShape[d] = 1 + r.Int64N(n)
		spec.BlockShape[d] = 1 + r.Int64N(spec.ChunkShape[d])
	}
	return spec
}

func itemsOf(n int64) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i * i / 7)
	}
	return data
}
