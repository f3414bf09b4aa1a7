package tree_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/tree"
)

// One item of an array in a zip on an HTTP server costs at most four requests, wherever
// its block is. They read the end of the zip, the beginning and the end of the member,
// the beginning of the chunk, and the block.
func TestRequestsOverHTTP(t *testing.T) {
	var buf bytes.Buffer
	err := tree.Write(&buf, tree.Contents{Items: []tree.Item{
		tree.Bytes("/a", noise(t, 3<<20, 1<<20)), tree.Bytes("/b", noise(t, 3<<20, 1<<20)), tree.Bytes("/c", noise(t, 1<<15, 1<<12)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.b2z"), buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	files := http.FileServer(http.Dir(dir))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer srv.Close()
	whole, err := tree.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	for _, key := range []string{"/a", "/b", "/c"} {
		for i := range 24 {
			requests.Store(0)
			o, err := remote.Open(t.Context(), srv.URL+"/s.b2z", remote.Tail(256<<10))
			if err != nil {
				t.Fatal(err)
			}
			s, err := tree.Open(o, o.Size())
			if err != nil {
				t.Fatal(err)
			}
			item := func(s *tree.Store) int64 {
				n, err := s.Node(key)
				if err != nil {
					t.Fatal(err)
				}
				a, err := n.Array()
				if err != nil {
					t.Fatal(err)
				}
				v, err := b2nd.At[int64](a, a.Len()*int64(i)/24)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			if got, want := item(s), item(whole); got != want {
				t.Errorf("%s, item %d of 24: %d, want %d", key, i, got, want)
			}
			if n := requests.Load(); n > 4 {
				t.Errorf("%s, item %d of 24: %d requests", key, i, n)
			} else {
				most = max(most, n)
			}
			o.Close()
		}
	}
	t.Logf("at most %d requests", most)
}
