package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Items that are not data are not served: those of recipes, and of chunks that a
// proxy cache lacks. Both are described, without a token.
func TestNotData(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lazyexpr.b2nd", "proxy-cache-remote.b2nd", "proxy-cache.b2frame"} {
		b, err := os.ReadFile(filepath.Join(b2test.Shared(t), "corpus", "neighbours", "trees", "b2o", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, h := newServer(t, dir, nil)
	for path, want := range map[string]string{
		"/a/lazyexpr.b2nd":                            "never computed",
		"/a/lazyexpr.b2nd?format=png":                 "never computed",
		"/zarr/lazyexpr.b2nd/c/0":                     "never computed",
		"/a/proxy-cache-remote.b2nd":                  "chunk 1 is not among them",
		"/a/proxy-cache-remote.b2nd?window=4:5":       "chunk 1 is not among them",
		"/zarr/proxy-cache-remote.b2nd/c/1":           "chunk 1 is not among them",
		"/a/proxy-cache.b2frame?dtype=u1&format=json": "chunk 1 is not among them",
		"/a/proxy-cache-remote.b2nd?window=0:4":       "",
		"/zarr/proxy-cache-remote.b2nd/c/0":           "",
		"/info/lazyexpr.b2nd":                         "",
		"/info/proxy-cache-remote.b2nd":               "",
	} {
		status := 200
		if want != "" {
			status = 415
		}
		resp, got := get(t, h.URL+path)
		if resp.StatusCode != status || !strings.Contains(string(got), want) || strings.Contains(string(got), "SECRET") {
			t.Errorf("%s: %s: %.300q", path, resp.Status, got)
		}
	}
}
