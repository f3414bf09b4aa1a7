package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/tree"
)

// Reading one item of an array in a store on a server takes few requests, regardless of
// the number of members. One request each reads the beginning, the directory, the index
// of the array, and the chunk. If the chunk is larger than 60 KiB, its beginning and
// the block are read separately.
func TestStoreFar(t *testing.T) {
	var items []tree.Item
	for i, n := range append(make([]int64, 2000), 4_000_000) {
		spec, err := b2nd.SpecOf[int64](max(n, 4))
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		w, err := b2nd.NewWriter(&buf, spec)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]int64, max(n, 4))
		for k := range values {
			values[k] = int64(k*k) ^ int64(k)<<20
		}
		if _, err := b2nd.WriteSlice(w, values); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		items = append(items, tree.Bytes(fmt.Sprintf("/g%d/x%d", i%10, i), buf.Bytes()))
	}
	dir := t.TempDir()
	if err := tree.WriteFile(filepath.Join(dir, "s.b2z"), tree.Contents{Items: items}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "s.b2z")); err != nil || info.Size() < 4<<20 {
		t.Fatal("the store is too small to show anything")
	}
	var requests atomic.Int64
	files := http.FileServer(http.Dir(dir))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer srv.Close()
	for _, c := range []struct {
		key  string
		item int64
		most int64
	}{{"/g0/x2000", 3000000, 4}, {"/g7/x1237", 3, 4}} {
		requests.Store(0)
		status, stdout, stderr := printed(t, "cat", srv.URL+"/s.b2z?token=secret:"+c.key, fmt.Sprint(c.item))
		if want := fmt.Sprintln(c.item*c.item ^ c.item<<20); status != exitDone || stdout != want {
			t.Errorf("status %d, %q, want %q: %s", status, stdout, want, stderr)
		}
		if n := requests.Load(); n > c.most {
			t.Errorf("%s: %d requests", c.key, n)
		} else {
			t.Logf("%s: %d requests", c.key, n)
		}
	}
	if status, stdout, stderr := printed(t, "ls", srv.URL+"/s.b2z:/g3"); status != exitDone || len(stdout) < 1000 {
		t.Errorf("ls: status %d, %s", status, stderr)
	}
}
