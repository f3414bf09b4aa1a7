package tree_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/fartest"
	"github.com/seed03b80dae/blosc2/tree"
)

// Reading one item of an array in a remote zip takes few requests, wherever the array
// and the item are.
func TestRequests(t *testing.T) {
	first, second, medium := noise(t, 1<<20, 1<<17), noise(t, 1<<20-5, 1<<18), noise(t, 1<<15, 1<<12)
	var buf bytes.Buffer
	err := tree.Write(&buf, tree.Contents{Items: []tree.Item{
		tree.Bytes("/first", first), tree.Bytes("/g/second", second), tree.Bytes("/medium", medium), tree.Bytes("/last", noise(t, 1<<16, 1<<16)), tree.Bytes("/small", array(t, 0, 10)),
		tree.Bytes("/large", noise(t, 3<<20, 3<<19)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for key, most := range map[string]int{"/first": 4, "/g/second": 4, "/medium": 2, "/last": 4, "/small": 1, "/large": 5} { // largest numbers of requests; a block of /large, of 12 MiB, may be far from the beginning of its chunk
		for _, at := range []float64{0.01, 0.5, 0.99} {
			src := &fartest.Source{Data: buf.Bytes()}
			s, err := tree.Open(src, int64(buf.Len()))
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
			i := int64(float64(a.Len()) * at)
			if _, err := b2nd.At[int64](a, i); err != nil {
				t.Error(err)
			}
			c := src.Take()
			t.Logf("%s, item %d: %+v", key, i, c)
			if c.Requests > most || c.Waves > 4 {
				t.Errorf("%s, item %d: %+v, at most %d requests in 4 waves are allowed", key, i, c, most)
			}
		}
	}
}

// Opening all arrays of a remote zip, in the order of their keys, takes few requests
// and bytes: small ones are read together, although their order in the zip is another,
// and of large ones only the header, and the index and trailer after the chunks.
func TestRequestsOfAll(t *testing.T) {
	large, c := noise(t, 1<<17, 1<<15), tree.Contents{}
	for i := range 20 {
		c.Items = append(c.Items, tree.Bytes(fmt.Sprintf("/x%d", i), large))
	}
	var buf bytes.Buffer
	if err := tree.Write(&buf, c); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what     string
		file     []byte
		requests int
		bytes    int64
	}{{"small", many(t, 3000), 30, 2 << 20}, {"large", buf.Bytes(), 1 + 40, 256<<10 + 20*16<<10}} {
		src := &fartest.Source{Data: tt.file}
		s, err := tree.Open(src, int64(len(tt.file)))
		if err != nil {
			t.Fatal(err)
		}
		for key := range s.Keys() {
			if _, err := s.Node(key); err != nil {
				t.Fatal(err)
			}
		}
		c := src.Take()
		if t.Logf("%s: %d bytes: %+v", tt.what, len(tt.file), c); c.Requests > tt.requests || c.Bytes > tt.bytes {
			t.Errorf("%s: %+v, at most %d requests and %d bytes are allowed", tt.what, c, tt.requests, tt.bytes)
		}
	}
}

// The directory of a remote zip is not read piece by piece.
func TestRequestsOfDirectory(t *testing.T) {
	b := many(t, 10000)
	src := &fartest.Source{Data: b}
	if _, err := tree.Open(src, int64(len(b))); err != nil {
		t.Fatal(err)
	}
	c := src.Take()
	if t.Logf("a zip of %d bytes: %+v", len(b), c); c.Requests > 8 {
		t.Errorf("%+v", c)
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

// BenchmarkFar opens a remote zip of arrays of 80 bytes, 64 KiB or 1 MiB that do not
// compress, opens all of its nodes, and reads an item of one. The metrics are the
// requests, waves and KiB of each of these steps.
func BenchmarkFar(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		for _, items := range []int64{10, 1 << 13, 1 << 17} {
			if int64(n)*items > 1<<25 {
				continue // the zip would have more than 256 MiB
			}
			a := noise(b, items, 1<<15)
			var c tree.Contents
			for i := range n {
				c.Items = append(c.Items, tree.Bytes(fmt.Sprintf("/group%d/array%d", i%10, i), a))
			}
			var buf bytes.Buffer
			if err := tree.Write(&buf, c); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%dx%dKiB", n, items>>7), func(b *testing.B) {
				var open, nodes, item fartest.Counts
				for b.Loop() {
					src := &fartest.Source{Data: buf.Bytes()}
					s, err := tree.Open(src, int64(buf.Len()))
					if err != nil {
						b.Fatal(err)
					}
					open = src.Take()
					for key := range s.Keys() {
						if _, err := s.Node(key); err != nil {
							b.Fatal(err)
						}
					}
					nodes = src.Take()
					if s, err = tree.Open(src, int64(buf.Len())); err != nil {
						b.Fatal(err)
					}
					src.Take()
					node, err := s.Node(c.Items[n/2].Key)
					if err != nil {
						b.Fatal(err)
					}
					a, err := node.Array()
					if err == nil {
						_, err = b2nd.At[int64](a, items/2)
					}
					if err != nil {
						b.Fatal(err)
					}
					item = src.Take()
				}
				for name, c := range map[string]fartest.Counts{"open": open, "nodes": nodes, "item": item} {
					b.ReportMetric(float64(c.Requests), "requests-"+name)
					b.ReportMetric(float64(c.Waves), "waves-"+name)
					b.ReportMetric(float64(c.Bytes)/1024, "KiB-"+name)
				}
			})
		}
	}
}
