package docstest_test

import (
	"bytes"
	"os/exec"
	"path"
	"path/filepath"
	"testing"
)

// TestDoors checks that what go doc prints about each public package fits on two
// screens of 40 lines.
func TestDoors(t *testing.T) {
	const screens = 2 * 40
	n := 0
	for name := range load(t).files {
		if path.Base(name) != "api.txt" {
			continue
		}
		n++
		cmd := exec.Command("go", "doc", "./"+path.Dir(name))
		cmd.Dir = filepath.FromSlash(root)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if lines := bytes.Count(out, []byte("\n")); lines > screens {
			t.Errorf("%s: go doc prints %d lines, at most %d fit", path.Dir(name), lines, screens)
		}
	}
	if n < 20 {
		t.Errorf("found %d packages", n)
	}
}
