package b2test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Readers returns the Python of Debian unstable that has h5py, PyTables, zarr and
// pyarrow, which tools/readers/setup unpacks. If it was not unpacked, the test skips or
// fails as with Shared. If the Debian archive does not provide the packages, the test
// is skipped even if CI=true, and marked "not run".
func Readers(t testing.TB) Python {
	t.Helper()
	cache := os.Getenv("B2READERS_HOME")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			Missing(t, err.Error())
		}
		cache = filepath.Join(dir, "b2readers")
	}
	program := filepath.Join(cache, "bin", "python3")
	if why, err := os.ReadFile(filepath.Join(cache, "undelivered")); err == nil {
		t.Skip("not run: Debian unstable's readers: " + strings.TrimSpace(string(why)))
	}
	if _, err := os.Stat(program); err != nil {
		Missing(t, "h5py, PyTables, zarr and pyarrow (tools/readers/setup): "+err.Error())
	}
	return Python(program)
}

// A Python is the path of a Python interpreter.
type Python string

// Run runs a script, and returns what it printed; the test ends if it fails.
func (p Python) Run(t testing.TB, script string, args ...string) string {
	t.Helper()
	cmd := exec.Command(string(p), append([]string{"-c", script}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out))
}
