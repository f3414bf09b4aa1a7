package tree_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/tree"
)

// many makes a store of n arrays.
func many(t testing.TB, n int) []byte {
	t.Helper()
	a := array(t, 0, 10)
	c := tree.Contents{}
	for i := range n {
		c.Items = append(c.Items, tree.Bytes(fmt.Sprintf("/group%d/array%d", i%100, i), a))
	}
	var buf bytes.Buffer
	if err := tree.Write(&buf, c); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// noise makes an array of n numbers that do not compress, in chunks of the given
// length.
func noise(t testing.TB, n, chunk int64) []byte {
	t.Helper()
	spec, err := b2nd.SpecOf[int64](n)
	if err != nil {
		t.Fatal(err)
	}
	spec.ChunkShape, spec.BlockShape = []int64{chunk}, []int64{4096}
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, spec)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]int64, n)
	for i, x := 0, rand.New(rand.NewPCG(1, 2)); i < len(items); i++ {
		items[i] = x.Int64()
	}
	if _, err := b2nd.WriteSlice(w, items); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
