package reduce_test

import (
	"bytes"
	"math"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/shard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// array makes an array in memory.
func array(t testing.TB, spec b2nd.Spec, data []byte) *b2nd.Array {
	t.Helper()
	var b bytes.Buffer
	w, err := b2nd.NewWriter(&b, spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// result writes a reduction to a file, in the given number of shards, and returns the
// file's bytes and the opened array.
func result(t testing.TB, a *b2nd.Array, op reduce.Op, axes []int, shards int) ([]byte, *b2nd.Array) {
	t.Helper()
	r, err := reduce.New(a, op, axes...)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := r.Spec().Cut()
	if err != nil {
		t.Fatal(err)
	}
	p, err := shard.NewArrayPlan(r.Spec(), max(min(shards, int(cut.NumChunks())), 1))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for k := range p.Shards() {
		if err := shard.WriteShardFile(folder, p, k, r.Fill); err != nil {
			t.Fatal(err)
		}
	}
	made, err := shard.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := shard.Assemble(&b, made); err != nil {
		t.Fatal(err)
	}
	out, err := b2nd.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), out
}

// of returns the result of op for the values, computed in the simplest way.
func of(op reduce.Op, v []float64) float64 {
	sum, count := 0.0, 0.0
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		sum += x
		least, greatest = math.Min(least, x), math.Max(greatest, x)
		if x == x {
			count++
		}
	}
	switch op {
	case reduce.Sum:
		return sum
	case reduce.Mean:
		return sum / float64(len(v))
	case reduce.Min:
		return least
	case reduce.Max:
		return greatest
	case reduce.Count:
		return count
	}
	squares := 0.0
	for _, x := range v {
		d := x - sum/float64(len(v))
		squares += d * d
	}
	return math.Sqrt(squares / float64(len(v)))
}
