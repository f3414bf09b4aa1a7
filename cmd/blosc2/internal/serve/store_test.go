package serve

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/tree"
)

// Arrays in stores, sparse frames, single files and remote objects are served like
// arrays in files.
func TestStores(t *testing.T) {
	dir := makeFolder(t)
	cube := filepath.Join(dir, "cube.b2nd")
	b, err := os.ReadFile(cube)
	if err != nil {
		t.Fatal(err)
	}
	contents := tree.Contents{Items: []tree.Item{tree.Bytes("/run1/x", b), tree.Bytes("/y", b)}}
	if err := tree.WriteFile(filepath.Join(dir, "zip.b2z"), contents); err != nil {
		t.Fatal(err)
	}
	if err := tree.WriteFile(filepath.Join(dir, "one.b2e"), contents); err != nil {
		t.Fatal(err)
	}
	if err := tree.WriteFolder(filepath.Join(dir, "folder.b2d"), contents); err != nil {
		t.Fatal(err)
	}
	_, h := newServer(t, dir, nil)
	want := window(t, cube, "3,5:9,::7")
	for _, store := range []string{"zip.b2z", "one.b2e", "folder.b2d"} {
		for _, key := range []string{"/run1/x", "/y"} {
			if resp, got := get(t, h.URL+"/a/"+store+key+"?window=3,5:9,::7&format=raw"); !bytes.Equal(got, want) {
				t.Errorf("%s%s: %s: %.200s", store, key, resp.Status, got)
			}
		}
		for path, part := range map[string]string{"/tree/" + store: `"name":"run1"`, "/tree/" + store + "/run1": `"name":"x","kind":"b2nd"`, "/view/" + store + "/run1.json": `"name":"x"`, "/view/" + store + "/run1/x.json": `"shape":[12,150,200]`, "/zarr/" + store + "/run1/x/zarr.json": `"float32"`, "/zarr/" + store + "/zarr.json": `"run1"`} {
			if resp, got := get(t, h.URL+path); resp.StatusCode != 200 || !strings.Contains(string(got), part) {
				t.Errorf("%s: %s: %.300s", path, resp.Status, got)
			}
		}
		if resp, got := get(t, h.URL+"/a/"+store+"/none"); resp.StatusCode != 404 {
			t.Errorf("%s/none: %s: %s", store, resp.Status, got)
		}
	}
	if resp, got := get(t, h.URL+"/f/zip.b2z"); resp.StatusCode != 200 || len(got) < 2*len(b) {
		t.Errorf("the file of the store: %s", resp.Status)
	}
}

// An openObject is an open file that serves as a remote object.
type openObject struct{ *bytes.Reader }

func (openObject) Version() string { return `"v1"` }
func (openObject) Close() error    { return nil }

func TestPlaces(t *testing.T) {
	dir := makeFolder(t)
	cube := filepath.Join(dir, "cube.b2nd")
	b, err := os.ReadFile(cube)
	if err != nil {
		t.Fatal(err)
	}
	file, err := OpenPlace(cube)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	makeTable(t, filepath.Join(dir, "t.b2z"), 500)
	sheet, err := os.ReadFile(filepath.Join(dir, "t.b2z"))
	if err != nil {
		t.Fatal(err)
	}
	_, h := newServer(t, dir, func(c *Config) {
		c.Places[0].Name = "dir"
		c.Places = append(c.Places, file, ObjectPlace("far.b2nd", openObject{bytes.NewReader(b)}), ObjectPlace("far.b2z", openObject{bytes.NewReader(sheet)}))
	})
	for _, query := range []string{"?window=490:&format=csv", "/temp?window=490:&format=json"} {
		_, want := get(t, h.URL+"/a/dir/t.b2z"+query)
		if resp, got := get(t, h.URL+"/a/far.b2z"+query); resp.StatusCode != 200 || !bytes.Equal(got, want) {
			t.Errorf("the far table: %s: %.300s, want %.300s", resp.Status, got, want)
		}
	}
	want := window(t, cube, "3,5:9,::7")
	for _, path := range []string{"dir/cube.b2nd", "cube.b2nd", "far.b2nd"} {
		if resp, got := get(t, h.URL+"/a/"+path+"?window=3,5:9,::7&format=raw"); !bytes.Equal(got, want) {
			t.Errorf("%s: %s: %.200s", path, resp.Status, got)
		}
		if resp, got := get(t, h.URL+"/f/"+path, "Range", "bytes=10-19"); !bytes.Equal(got, b[10:20]) {
			t.Errorf("%s: %s: %.200s", path, resp.Status, got)
		}
	}
	for _, path := range []string{"signal.b2nd", "cube.b2nd/x", "far.b2nd/x", "dir/../signal.b2nd"} {
		if resp, _ := get(t, h.URL+"/f/"+path); resp.StatusCode != 404 {
			t.Errorf("%s beside the file that is served: %s", path, resp.Status)
		}
	}
	if _, got := get(t, h.URL+"/tree/"); !strings.Contains(string(got), `"far.b2nd"`) || !strings.Contains(string(got), `"dir"`) {
		t.Errorf("the places: %s", got)
	}
}

// A damaged file is an error on its own page and line, and affects nothing else.
func TestDamaged(t *testing.T) {
	dir := makeFolder(t)
	b, err := os.ReadFile(filepath.Join(dir, "cube.b2nd"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := r.RawChunk(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(b)
	at := bytes.Index(bad, chunk)
	for i := 200; i < 5000; i++ {
		bad[at+i] ^= 0x55
	}
	for name, b := range map[string][]byte{"bad.b2nd": bad, "cut.b2nd": b[:len(b)/2], "head.b2nd": b[:60], "empty.b2nd": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, h := newServer(t, dir, nil)
	if resp, got := get(t, h.URL+"/a/bad.b2nd?window=0:5,0:64,0:70"); resp.StatusCode != 422 {
		t.Errorf("damaged: %s: %.200s", resp.Status, got)
	}
	if resp, _ := get(t, h.URL+"/a/bad.b2nd?window=5:10"); resp.StatusCode != 200 {
		t.Errorf("beside the damage: %s", resp.Status)
	}
	for _, name := range []string{"cut.b2nd", "head.b2nd", "empty.b2nd"} {
		if resp, got := get(t, h.URL+"/a/"+name); resp.StatusCode != 422 && resp.StatusCode != 415 {
			t.Errorf("%s: %s: %.200s", name, resp.Status, got)
		}
	}
	resp, got := get(t, h.URL+"/tree/")
	if resp.StatusCode != 200 || strings.Count(string(got), `"error"`) != 3 {
		t.Errorf("the listing: %s", got)
	}
}
