package main

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/serve"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// servedBy serves names as the command does, and returns a function that requests a
// path.
func servedBy(t *testing.T, names ...string) func(path string) (int, string) {
	t.Helper()
	e := &env{}
	places, err := (&serveCmd{Names: names}).places(e)
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(serve.Config{Places: places, Describe: describeServed, DescribeZarr: describeServedZarr, OpenPlain: openServed})
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Close()
		s.Close()
		for _, p := range places {
			p.Close()
		}
	})
	return func(path string) (int, string) {
		t.Helper()
		resp, err := http.Get(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if tag := resp.Header.Get("ETag"); tag != "" && strings.Contains(path, ".zarr") && !strings.HasPrefix(path, "/f/") {
			t.Errorf("%s: ETag %s, though chunks may change without it", path, tag)
		}
		return resp.StatusCode, string(b)
	}
}

// Local and remote Zarr folders are served as arrays, with the items that cat reads
// from the folder.
func TestServeZarr(t *testing.T) {
	from := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "zarr")
	dir := t.TempDir()
	v2, v3 := "v2_lz4_bit_9.zarr", "v3_zstd_shuffle_109.zarr"
	for name, of := range map[string]string{"g.zarr/one": v3, "g.zarr/a/two": v2, v2: v2} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(from, of))); err != nil {
			t.Fatal(err)
		}
	}
	group := `{"zarr_format": 3, "node_type": "group", "attributes": {"unit": "K"}, "consolidated_metadata":
		{"kind": "inline", "metadata": {"one": {"node_type": "array"}, "a": {"node_type": "group"}, "a/two": {"node_type": "array"}}}}`
	if err := os.WriteFile(filepath.Join(dir, "g.zarr", "zarr.json"), []byte(group), 0o666); err != nil {
		t.Fatal(err)
	}
	far := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer far.Close()
	near := servedBy(t, dir)
	several := servedBy(t, filepath.Join(dir, v2), far.URL+"/g.zarr", far.URL+"/"+v2)
	for _, c := range []struct {
		get    func(string) (int, string)
		path   string
		source string
	}{
		{near, v2, v2}, {near, "g.zarr/one", "g.zarr/one"}, {near, "g.zarr/a/two", "g.zarr/a/two"},
		{several, v2, v2}, {several, "g.zarr/one", "g.zarr/one"}, {several, "g.zarr/a/two", "g.zarr/a/two"}, {several, v2 + "%20(2)", v2},
	} {
		for _, window := range []string{":", "0:100:7,3:90:11", "39:41,49:51", "99", "...,-1"} {
			status, want, stderr := printed(t, "cat", "--raw", filepath.Join(dir, c.source), window)
			if status != exitDone {
				t.Fatalf("cat: status %d, %s", status, stderr)
			}
			if status, got := c.get("/a/" + c.path + "?format=raw&window=" + window); status != 200 || got != want {
				t.Errorf("%s[%s]: %d, %d bytes, want %d: %.200s", c.path, window, status, len(got), len(want), got)
			}
		}
		for path, part := range map[string]string{
			"/view/" + c.path + ".json":                          `"kind":"zarr","shape":[100,90],"chunkshape":[40,50]`,
			"/info/" + c.path:                                    `"codecs":["blosc (`,
			"/chunks/" + c.path:                                  `{"counts":[3,2],"nbytes":8000,"cbytes":[`,
			"/zarr/" + c.path + "/zarr.json":                     `"shape":[100,90]`,
			"/a/" + c.path + "?format=svg":                       "<svg",
			"/a/" + c.path + "?window=0&as=f8":                   "NUMPY",
			"/zarr/" + c.path + "/c/2/1":                         "",
			"/a/" + c.path + "?window=0&envelope=20&format=json": `"min":[`,
		} {
			if status, got := c.get(path); status != 200 || !strings.Contains(got, part) {
				t.Errorf("%s: %d: %.300s", path, status, got)
			}
		}
	}
	for path, want := range map[string]string{"/tree/": `"name":"` + v2 + `","kind":"zarr","size":31934,"shape":[100,90]`, "/tree/g.zarr": `[{"name":"a","kind":"folder"`, "/tree/?filter=two": `"name":"g.zarr/a/two","kind":"zarr"`} {
		if status, got := near(path); status != 200 || !strings.Contains(got, want) || strings.Contains(got, "zarr.json") {
			t.Errorf("%s: %d: %.500s", path, status, got)
		}
	}
	if status, got := several("/tree/g.zarr"); status != 200 || !strings.Contains(got, `"name":"a/two","kind":"zarr"`) {
		t.Errorf("the far group: %d: %s", status, got)
	}
	for _, path := range []string{"/a/g.zarr/none", "/f/g.zarr/one/c/0/0", "/a/" + v2 + "/x"} {
		if status, got := several(path); status != 404 {
			t.Errorf("%s: %d: %s", path, status, got)
		}
	}
	// A chunk is read again after it has been written again.
	chunk, err := os.ReadFile(filepath.Join(dir, v2, "0.0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, v2, "0.0")); err != nil {
		t.Fatal(err)
	}
	if status, got := near("/a/" + v2 + "?format=json&window=0,:3"); status != 200 || !strings.Contains(got, `"data":[0,0,0]`) {
		t.Errorf("without its chunk: %d: %s", status, got)
	}
	if status, got := near("/chunks/" + v2); status != 200 || !strings.Contains(got, `"cbytes":[0,`) {
		t.Errorf("the map without its chunk: %d: %s", status, got)
	}
	if err := os.WriteFile(filepath.Join(dir, v2, "0.0"), chunk[:len(chunk)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if status, got := near("/a/" + v2 + "?format=json&window=0,:3"); status != 422 || strings.Contains(got, dir) {
		t.Errorf("a damaged chunk: %d: %s", status, got)
	}
}

// Remote uncompressed files are served like local ones.
func TestServeFarPlain(t *testing.T) {
	dir := t.TempDir()
	var items []byte
	for i := range 60 * 70 {
		items = binary.LittleEndian.AppendUint32(items, math.Float32bits(float32(i)))
	}
	for name, b := range map[string][]byte{"a.npy": npyBytes(t, []int64{60, 70}, items), "a.f4": items, "t.csv": []byte("name,n,x\nAnna,1,2.5\nBo,22,-3\n"), "notes.txt": []byte("text\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	far := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer far.Close()
	get := servedBy(t, far.URL+"/a.npy", far.URL+"/a.f4", far.URL+"/t.csv", far.URL+"/notes.txt")
	if status, got := get("/a/a.npy?window=59,60:&format=raw"); status != 200 || got != string(items[4*(59*70+60):]) {
		t.Errorf("a.npy: %d, %d bytes", status, len(got))
	}
	if status, got := get("/a/a.f4?window=100:200&format=raw"); status != 200 || got != string(items[400:800]) {
		t.Errorf("a.f4: %d, %d bytes", status, len(got))
	}
	if status, got := get("/a/t.csv?format=json"); status != 200 || !strings.Contains(got, `{"name":"Bo","n":22,"x":-3}`) {
		t.Errorf("t.csv: %d: %s", status, got)
	}
	if status, _ := get("/a/notes.txt"); status != 415 {
		t.Errorf("notes.txt: %d", status)
	}
	status, got := get("/tree/")
	var l struct {
		Entries []struct {
			Name, Kind string
			Shape      []int64
		}
	}
	if err := json.Unmarshal([]byte(got), &l); status != 200 || err != nil || len(l.Entries) != 4 || l.Entries[0].Kind != "npy" || len(l.Entries[0].Shape) != 2 || l.Entries[2].Kind != "csv" || l.Entries[3].Kind != "file" {
		t.Errorf("the list: %d: %s", status, got)
	}
}
