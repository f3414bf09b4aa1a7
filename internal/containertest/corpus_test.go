package containertest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/containertest"
)

// unread lists kinds whose values are not compared, because the manifest states them
// differently: recipes are shown, and the contents of a proxy cache depend on its
// source.
var unread = map[string]bool{"b2o": true, "b2o-legacy": true, "proxy": true}

func TestManifest(t *testing.T) {
	root := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "trees")
	raw, err := os.ReadFile(filepath.Join(root, "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Files []struct {
			Path, Kind, Python string
			Content            json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	n, refused := 0, 0
	for _, e := range manifest.Files {
		if unread[e.Kind] {
			continue
		}
		content, err := containertest.Read(os.DirFS(root), e.Path)
		if string(e.Content) == "null" {
			if e.Python != "" {
				if err == nil {
					t.Errorf("%s: read, but it is to be refused: %s", e.Path, e.Python)
				}
				refused++
			} else if err != nil {
				t.Errorf("%s: %v", e.Path, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		want, err := containertest.Parse(e.Content)
		if err != nil {
			t.Fatal(err)
		}
		if diff := containertest.Diff(want, content); len(diff) > 0 {
			t.Errorf("%s:\n%s", e.Path, strings.Join(diff, "\n"))
		}
		n++
	}
	t.Logf("%d read as the manifest says, %d refused", n, refused)
	if n < 70 || refused < 4 {
		t.Error("too few")
	}
}
