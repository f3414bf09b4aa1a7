//go:build unix

package serve

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A named pipe is not listed. It is not opened either, because that would wait for a
// writer.
func TestNamedPipe(t *testing.T) {
	dir := makeFolder(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.b2nd"), 0o666); err != nil {
		b2test.Missing(t, "named pipes: "+err.Error())
	}
	_, h := newServer(t, dir, nil)
	for _, verb := range []string{"f", "a", "info", "view", "events"} {
		if resp, _ := get(t, h.URL+"/"+verb+"/pipe.b2nd"); resp.StatusCode != 404 {
			t.Errorf("/%s: %s", verb, resp.Status)
		}
	}
	if _, b := get(t, h.URL+"/tree/"); strings.Contains(string(b), "pipe") {
		t.Errorf("the listing: %s", b)
	}
}

// A chunk of Zarr that is a named pipe, or leads out of the folder, is not read.
func TestZarrSpecial(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	array := filepath.Join(dir, "a.zarr")
	if err := os.Mkdir(array, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(array, ".zarray"): `{"zarr_format": 2, "shape": [12], "chunks": [4], "dtype": "|S1", "compressor": null, "fill_value": "LQ==", "order": "C", "filters": null}`,
		filepath.Join(array, "0"):       "abcd", outside: "stol",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(array, "2")); err != nil {
		b2test.Missing(t, "symbolic links: "+err.Error())
	}
	if err := syscall.Mkfifo(filepath.Join(array, "1"), 0o666); err != nil {
		b2test.Missing(t, "named pipes: "+err.Error())
	}
	_, h := newServer(t, dir, nil)
	if resp, b := get(t, h.URL+"/a/a.zarr?window=:8&format=raw"); resp.StatusCode != 200 || string(b) != "abcd----" {
		t.Errorf("%s: %q", resp.Status, b)
	}
	if resp, b := get(t, h.URL+"/a/a.zarr?window=8:&format=raw"); resp.StatusCode != 404 || strings.Contains(string(b), "stol") {
		t.Errorf("%s: %q", resp.Status, b)
	}
}
