package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/serve"
	"github.com/seed03b80dae/blosc2/npy"
)

// Uncompressed files are served as arrays: their windows, their description and their
// place in the tree.
func TestServePlain(t *testing.T) {
	dir := t.TempDir()
	var items []byte
	for i := range 60 * 70 {
		items = binary.LittleEndian.AppendUint32(items, math.Float32bits(float32(i)))
	}
	var zip bytes.Buffer
	z := npy.NewNPZWriter(&zip, true)
	for _, name := range []string{"first", "second"} {
		w, err := z.Create(name, npy.Header{DType: "<f4", Shape: []int64{60, 70}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(items); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"a.npy": npyBytes(t, []int64{60, 70}, items), "a.f4": items, "a.npz": zip.Bytes(), "cut.npy": npyBytes(t, []int64{60, 71}, items),
		"t.csv": []byte("name,n,x\nAnna,1,2.5\nBo,22,-3\n"), "bad.csv": []byte("a,b\n1,2,3\n"), "notes.txt": []byte("text\n"), "bad.npz": zip.Bytes()[:100], "zip.b2z": zip.Bytes(), "other.zip": zip.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	place, err := serve.OpenPlace(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer place.Close()
	place.Name = ""
	s := serve.New(serve.Config{Places: []*serve.Place{place}, OpenPlain: openServed})
	h := httptest.NewServer(s)
	defer s.Close()
	defer h.Close()
	get := func(path string) (int, string) {
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
		return resp.StatusCode, string(b)
	}
	want := ""
	for i := 10; i < 50; i += 20 {
		for j := 5; j < 65; j += 3 {
			want += string(items[4*(70*i+j) : 4*(70*i+j)+4])
		}
	}
	for _, name := range []string{"a.npy", "a.npz/first", "a.npz/second"} {
		if status, got := get("/a/" + name + "?window=10:50:20,5:65:3&format=raw"); status != 200 || got != want {
			t.Errorf("%s: %d, %d bytes, want %d", name, status, len(got), len(want))
		}
	}
	if status, got := get("/a/a.f4?window=100:200&format=raw"); status != 200 || got != string(items[400:800]) {
		t.Errorf("a raw file: %d, %d bytes", status, len(got))
	}
	for path, part := range map[string]string{
		"/a/t.csv?format=json":                `{"name":"Bo","n":22,"x":-3}`,
		"/a/t.csv?format=csv":                 "name,n,x\nAnna,1,2.5\n",
		"/view/t.csv.json":                    `"kind":"csv","shape":[2]`,
		"/view/a.npz.json":                    `{"name":"second","kind":"npy","size":16800,"shape":[60,70]`,
		"/tree/":                              `{"name":"a.npy","kind":"npy"`,
		"/info/a.npz/first":                   `"shape":[60,70]`,
		"/view/notes.txt.json":                `"kind":"file"`,
		"/view/zip.b2z.json":                  `not a store`,
		"/zarr/a.npy/zarr.json":               `"float32"`,
		"/zarr/a.npz/zarr.json":               `"second":{`,
		"/a/a.npy?format=svg":                 "<svg",
		"/a/a.npy?window=0&as=f8&format=json": `[0,1,2,`,
	} {
		if status, got := get(path); status != 200 || !strings.Contains(got, part) {
			t.Errorf("%s: %d: %.500s", path, status, got)
		}
	}
	for path, want := range map[string]int{"/a/a.npz": 404, "/a/a.npz/third": 404, "/a/a.npy/first": 404, "/a/cut.npy": 422, "/a/bad.csv": 422, "/a/bad.npz": 422, "/a/notes.txt": 415, "/chunks/a.npy": 400, "/a/zip.b2z": 415, "/a/other.zip": 415} {
		if status, got := get(path); status != want || strings.Contains(got, dir) {
			t.Errorf("%s: %d, want %d: %.300s", path, status, want, got)
		}
	}
}
