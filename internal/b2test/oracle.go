package b2test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A Library is a genuine C-Blosc2, called through the oracle program. It may be
// used from several goroutines.
type Library struct {
	Major int    // 2: 2.17.1, 3: 3.3.5 or newer
	Path  string // path of the program
}

// Oracle returns the genuine library of a major version, 2 or 3, and builds its program
// the first time. If that is not possible the test skips or fails as with Shared. If
// Debian unstable does not provide version 3, the test is skipped even if CI=true, and
// marked "not run".
func Oracle(t testing.TB, major int) Library {
	t.Helper()
	lib, undelivered := oracle(t, major)
	if undelivered != "" {
		t.Skip(undelivered)
	}
	return lib
}

// Oracles returns both genuine libraries. If Debian unstable does not provide the newer
// one, it logs that and returns only the older one.
func Oracles(t testing.TB) []Library {
	t.Helper()
	all := []Library{Oracle(t, 2)}
	lib, undelivered := oracle(t, 3)
	if undelivered != "" {
		t.Log(undelivered)
		return all
	}
	return append(all, lib)
}

type setupResult struct {
	path string
	log  string
	err  error
}

var setups sync.Map // maps a script and program to a func() setupResult

func oracle(t testing.TB, major int) (lib Library, undelivered string) {
	t.Helper()
	script := filepath.Join(Shared(t), "oracle", "setup")
	program := fmt.Sprintf("b2oracle-%d", major)
	run, _ := setups.LoadOrStore(script+" "+program, sync.OnceValue(func() setupResult {
		var log bytes.Buffer
		cmd := exec.Command(script, program)
		cmd.Stderr = &log
		out, err := cmd.Output()
		return setupResult{strings.TrimSpace(string(out)), log.String(), err}
	}))
	r := run.(func() setupResult)()
	if r.err != nil && major == 3 && suiteFailed(r.log) {
		return Library{}, "not run: Debian unstable does not provide " + program + ":\n" + r.log
	}
	if r.err != nil {
		Missing(t, fmt.Sprintf("%s: %v\n%s", program, r.err, r.log))
	}
	return Library{major, r.path}, ""
}

// suiteFailed reports whether messages of setup say that the packages of the suite are
// unavailable. Other failures are faults of this machine.
func suiteFailed(log string) bool {
	for _, s := range []string{"could not read the package list", "has no package", "could not fetch the packages"} {
		if strings.Contains(log, s) {
			return true
		}
	}
	return false
}

// Run runs the oracle and returns what it printed; the test ends if it fails.
func (l Library) Run(t testing.TB, args ...string) []byte {
	t.Helper()
	out, err := l.RunErr(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// RunErr runs the oracle and returns what it printed. The error holds its line on
// standard error, or the signal that killed it.
func (l Library) RunErr(args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(l.Path, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("b2oracle-%d %s: %w: %s", l.Major, strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// Decode returns the payload that the library reads from file with a command
// such as "read-frame", "decompress-chunk" or "read-b2nd".
func (l Library) Decode(t testing.TB, command, file string) ([]byte, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "payload")
	if _, err := l.RunErr(command, file, out); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}
