package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestCorpus decompresses every file of the corpus with the command line.
func TestCorpus(t *testing.T) {
	right, rejected := map[string]int{}, 0
	for _, entry := range b2test.Corpus(t) {
		switch {
		case entry.Kind == "filtered": // the bare output of a filter
			continue
		case entry.Path == "reject/b2nd-no-metalayer.b2nd": // a valid frame, but not an array
			continue
		}
		out := filepath.Join(t.TempDir(), "out")
		status, message := runQuiet(t, "decompress", "--raw", "--force", fmt.Sprintf("--offset=%d", entry.Offset), "-o", out, entry.File())
		if entry.Reject != "" {
			if status != exitFailed || !strings.HasPrefix(message, "blosc2: "+entry.File()+": ") {
				t.Errorf("%s: status %d, %q; must be refused: %s", entry.Path, status, message, entry.Reject)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s: refused, but there is an output", entry.Path)
			}
			rejected++
			continue
		}
		if status != exitDone {
			t.Errorf("%s: status %d, %q", entry.Path, status, message)
			continue
		}
		payload, err := os.ReadFile(out)
		if err != nil {
			t.Error(err)
			continue
		}
		entry.Check(t, payload)
		right[entry.Category]++
	}
	t.Logf("cases: decompressed %v, refused %d", right, rejected)
	for _, category := range []string{"b2nd", "blosc1", "caterva", "chunks", "frames", "generation-chunks", "generations", "history", "sframes", "specials", "vlblocks"} {
		if right[category] == 0 {
			t.Errorf("no file of category %s was decompressed", category)
		}
	}
}

// runQuiet runs the program in this process and returns the exit status and what
// was written to standard error.
func runQuiet(t *testing.T, args ...string) (status int, message string) {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	status = run(append([]string{"blosc2"}, args...), null, null, stderr)
	text, err := os.ReadFile(stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	return status, string(text)
}
