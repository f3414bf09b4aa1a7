package b2io

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/shard"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// waves returns smooth float32 numbers.
func waves(n int64) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(math.Round(1000*math.Sin(float64(i)/50))/10)))
	}
	return b
}

func spec(shape, chunks, blocks []int64) b2nd.Spec {
	return b2nd.Spec{Shape: shape, DType: "<f4", ItemSize: 4, ChunkShape: chunks, BlockShape: blocks}
}

// writeArray makes the file of an array in one process.
func writeArray(t testing.TB, path string, s b2nd.Spec, data []byte) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	w, err := b2nd.NewWriter(f, s)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	must(t, f.Close())
}

func arrayPlan(t testing.TB, s b2nd.Spec, shards int) *shard.Plan {
	t.Helper()
	p, err := shard.NewArrayPlan(s, shards)
	must(t, err)
	return p
}

// rawFile writes data to a file.
func rawFile(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw")
	must(t, os.WriteFile(path, data, 0o666))
	return path
}

// whole makes the file of a plan in one process.
func whole(t testing.TB, p *shard.Plan, data []byte) []byte {
	t.Helper()
	raw, err := os.Open(rawFile(t, data))
	must(t, err)
	defer raw.Close()
	path := filepath.Join(t.TempDir(), "whole")
	must(t, shard.WriteFile(path, p, p.FromReaderAt(raw)))
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func run(t testing.TB, p *beam.Pipeline) error {
	t.Helper()
	return ptest.Run(p)
}
