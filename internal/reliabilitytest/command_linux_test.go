package reliabilitytest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func init() { children["limited"] = limited }

// limited runs the command of $BLOSC2_RELIABILITY_ARGS with a limit on the size of
// files, like a full disk.
func limited(limit string) error {
	signal.Ignore(syscall.SIGXFSZ)
	n, err := strconv.ParseUint(limit, 10, 64)
	if err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		return err
	}
	args := strings.Split(os.Getenv("BLOSC2_RELIABILITY_ARGS"), "\n")
	return syscall.Exec(args[0], args, os.Environ())
}

// The command keeps the old file if a new one cannot be written, and leaves nothing
// else.
func TestCommandDiskFull(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "blosc2")
	build := exec.Command("go", "build", "-o", tool, "./cmd/blosc2")
	build.Dir = b2test.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	work := filepath.Join(dir, "work")
	must(t, os.Mkdir(work, 0o777))
	in, out, old := filepath.Join(work, "in"), filepath.Join(work, "in.b2frame"), []byte("what was there before")
	data := pattern(0, 300_000)
	must(t, os.WriteFile(in, data, 0o666))
	run := func(limit int, args ...string) error {
		exe, err := os.Executable()
		must(t, err)
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), childKind+"=limited", childFile+"="+fmt.Sprint(limit),
			"BLOSC2_RELIABILITY_ARGS="+strings.Join(append([]string{tool}, args...), "\n"))
		text, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		return nil
	}
	compress := []string{"compress", "--force", "-o", out, in}
	must(t, os.WriteFile(out, old, 0o666))
	must(t, run(1<<30, compress...))
	whole, err := os.ReadFile(out)
	must(t, err)
	must(t, run(1<<30, "compact", out))
	compact, err := os.ReadFile(out)
	must(t, err)
	count := 0
	for _, c := range []struct {
		args []string
		size int
		old  []byte
	}{{compress, len(whole), old}, {[]string{"compact", out}, len(compact), whole}, {[]string{"decompress", "--force", "-o", out, filepath.Join(work, "frame")}, len(data), old}} {
		must(t, os.WriteFile(filepath.Join(work, "frame"), whole, 0o666))
		for i := range pick(4, 60) {
			limit := i * (c.size - 1) / pick(3, 59)
			must(t, os.WriteFile(out, c.old, 0o666))
			if err := run(limit, c.args...); err == nil {
				t.Errorf("%s: no error with files of %d bytes at most, of %d", c.args[0], limit, c.size)
			}
			if b, err := os.ReadFile(out); err != nil || !bytes.Equal(b, c.old) {
				t.Errorf("%s: with files of %d bytes at most the old file is changed: %d bytes, %v", c.args[0], limit, len(b), err)
			}
			count++
		}
	}
	left, err := os.ReadDir(work)
	left = slices.DeleteFunc(left, func(f os.DirEntry) bool { return strings.HasSuffix(f.Name(), ".b2lock") })
	if err != nil || len(left) != 3 {
		t.Errorf("%d files are left: %v, %v", len(left), left, err)
	}
	t.Logf("%d runs with a full disk", count)
}
