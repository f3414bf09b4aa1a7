//go:build unix

package serve

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A named pipe is not opened, which would wait for a writer, and not listed.
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
