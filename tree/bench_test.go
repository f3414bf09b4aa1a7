package tree_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/tree"
)

// many makes a store of n arrays.
func many(t testing.TB, n int) []byte {
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

// counter counts reads of a source.
type counter struct {
	r io.ReaderAt
	n int
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.r.ReadAt(p, off)
}

// noise makes an array of n numbers that do not compress.
func noise(t testing.TB, n int64) []byte {
	t.Helper()
	spec, err := b2nd.SpecOf[int64](n)
	if err != nil {
		t.Fatal(err)
	}
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

// One item of an array in a zip costs few requests to where the zip is.
func TestRequests(t *testing.T) {
	large := noise(t, 1000000)
	var buf bytes.Buffer
	if err := tree.Write(&buf, tree.Contents{Items: []tree.Item{tree.Bytes("/g/large", large), tree.Bytes("/small", array(t, 0, 10))}}); err != nil {
		t.Fatal(err)
	}
	for key, most := range map[string]int{"/small": 2, "/g/large": 4} {
		c := &counter{r: bytes.NewReader(buf.Bytes())}
		s, err := tree.Open(c, int64(buf.Len()))
		if err != nil {
			t.Fatal(err)
		}
		n, err := s.Node(key)
		if err != nil {
			t.Fatal(err)
		}
		a, err := n.Array()
		if err != nil {
			t.Fatal(err)
		}
		i := a.Len() / 2
		if _, err := b2nd.At[int64](a, i); err != nil {
			t.Error(err)
		}
		t.Logf("%s: %d requests", key, c.n)
		if c.n > most {
			t.Errorf("%s: %d requests, at most %d are allowed", key, c.n, most)
		}
	}
}

func BenchmarkOpen10000(b *testing.B) {
	s := many(b, 10000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tree.Open(bytes.NewReader(s), int64(len(s))); err != nil {
			b.Fatal(err)
		}
	}
}
