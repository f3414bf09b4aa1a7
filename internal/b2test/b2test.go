// Package b2test gives tests access to what is not part of the repository: the corpus
// of files that genuine libraries wrote, and the oracle, a program around the genuine
// C-Blosc2.
//
// They are in a folder named "shared" next to the module, or in $BLOSC2_SHARED. Tests
// that need them are skipped with a message if they are missing; with CI=true in the
// environment they fail instead. There is one exception: if Debian unstable does not
// provide b2oracle-3, tests that need it are skipped in CI too, and marked "not run".
package b2test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

const modulePath = "github.com/seed03b80dae/blosc2"

var moduleLine = regexp.MustCompile(`(?m)^module[ \t]+` + regexp.QuoteMeta(modulePath) + `[ \t\r]*$`)

// root finds the folder that holds this module's go.mod. It is above the working
// directory, which go test sets to the folder of the package.
var root = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && moduleLine.Match(text) {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod of " + modulePath + " above the working directory")
		}
		dir = up
	}
})

// Root returns the folder of the module's go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Shared returns the path of the shared folder. If there is none the test is
// skipped, or fails if CI=true.
func Shared(t testing.TB) string {
	t.Helper()
	dir, err := shared(t)
	if err != nil {
		Missing(t, "corpus and oracle (../shared or $BLOSC2_SHARED): "+err.Error())
	}
	return dir
}

// HasCorpus reports whether there is a corpus. Fuzz targets without one begin with
// other inputs.
func HasCorpus(t testing.TB) bool {
	t.Helper()
	_, err := shared(t)
	return err == nil
}

// shared returns the path of the shared folder, or an error if there is none.
func shared(t testing.TB) (string, error) {
	t.Helper()
	dir := os.Getenv("BLOSC2_SHARED")
	if dir == "" {
		dir = filepath.Join(Root(t), "..", "shared")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(dir, "corpus", "MANIFEST.json"))
	return dir, err
}

// Missing ends a test that needs something that this machine lacks: it skips the
// test with a message or, if CI=true, which promises that everything is available,
// fails it.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("missing, and CI=true: " + what)
	}
	t.Skip("skipped; this machine lacks " + what)
}

// Real returns the bytes of a file of real measurements, corpus/real/name.
func Real(t testing.TB, name string) []byte {
	t.Helper()
	return read(t, filepath.Join(Shared(t), "corpus", "real", name))
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
