package reliabilitytest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

const childFile = "BLOSC2_RELIABILITY_FILE"

const childKind = "BLOSC2_RELIABILITY_CHILD"

// kill runs a child and kills it after a while. It returns the largest sizes that
// it reported as flushed and committed.
func kill(t *testing.T, kind, path string, seed uint64, after time.Duration) (flushed, committed int64) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childKind+"="+kind, childFile+"="+path, childSeed+"="+strconv.FormatUint(seed, 10))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	for s := bufio.NewScanner(out); s.Scan(); {
		var what byte
		var size int64
		if _, err := fmt.Sscanf(s.Text(), "%c %d", &what, &size); err != nil {
			continue // the last line is incomplete
		}
		if what == 'C' {
			committed = max(committed, size)
		}
		flushed = max(flushed, size)
	}
	cmd.Wait()
	timer.Stop()
	if stderr.Len() > 0 {
		t.Errorf("%s, seed %d: the writer failed by itself: %s", kind, seed, &stderr)
	}
	return flushed, committed
}

func say(what byte, size int64) { fmt.Printf("%c %d\n", what, size) }

// children holds further kinds of children, which do other things.
var children = map[string]func(path string) error{}

// These variables make the test binary a process to be killed.
const (
	childSeed = "BLOSC2_RELIABILITY_SEED"
)
