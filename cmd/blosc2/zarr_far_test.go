package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Zarr on a server is read as it is from a folder: arrays of both formats, and a
// group that lists its arrays.
func TestZarrFar(t *testing.T) {
	from := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "zarr")
	dir := t.TempDir()
	for name, of := range map[string]string{"g.zarr/one": "v3_zstd_shuffle_109.zarr", "g2.zarr/a/two": "v2_zstd_bit_25.zarr"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(from, of))); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"g.zarr/zarr.json": `{"zarr_format": 3, "node_type": "group", "attributes": {"unit": "K"},
			"consolidated_metadata": {"kind": "inline", "metadata": {"one": {"node_type": "array"}, "none": {"node_type": "group"}}}}`,
		"g2.zarr/.zmetadata": `{"zarr_consolidated_format": 1, "metadata": {".zgroup": {}, "a/two/.zarray": {}}}`,
		"g2.zarr/.zgroup":    `{"zarr_format": 2}`, "bare.zarr/.zgroup": `{"zarr_format": 2}`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ root, name, key string }{
		{from, "v2_lz4_bit_9.zarr", ""}, {from, "v3_lz4_bitshuffle_103.zarr", ""}, {dir, "g.zarr", "/one"}, {dir, "g2.zarr", "/a/two"},
	} {
		srv := httptest.NewServer(http.FileServer(http.Dir(c.root)))
		defer srv.Close()
		far, near := filepath.Join(t.TempDir(), "far.b2z"), filepath.Join(t.TempDir(), "near.b2z")
		for from, to := range map[string]string{srv.URL + "/" + c.name: far, filepath.Join(c.root, c.name): near} {
			if status, _, stderr := printed(t, "zarr", "import", from, to); status != exitDone {
				t.Fatalf("%s: status %d, %s", from, status, stderr)
			}
		}
		a, errA := os.ReadFile(far)
		b, errB := os.ReadFile(near)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: another store, %v, %v", c.name, errA, errB)
		}
		var texts [2]string
		for i, name := range []string{srv.URL + "/" + c.name + c.key, filepath.Join(c.root, c.name+c.key)} {
			status, stdout, stderr := printed(t, "cat", name, ":3")
			if texts[i] = stdout; status != exitDone || stdout == "" {
				t.Errorf("cat %s: status %d, %s", name, status, stderr)
			}
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: %s, want %s", c.name, texts[0], texts[1])
		}
		if status, stdout, stderr := printed(t, "info", srv.URL+"/"+c.name); status != exitDone || stdout == "" {
			t.Errorf("info %s: status %d, %s", c.name, status, stderr)
		}
	}
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer srv.Close()
	for _, name := range []string{"bare.zarr", "nothing.zarr"} {
		if status, _, stderr := printed(t, "zarr", "import", srv.URL+"/"+name, filepath.Join(t.TempDir(), "x.b2z")); status == exitDone || stderr == "" {
			t.Errorf("%s: status %d, %q", name, status, stderr)
		}
	}
}
