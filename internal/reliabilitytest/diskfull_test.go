package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// failing calls do with disks that fail at the first call, the second and so
// on, in three ways: with nothing written, with half, and with half and no
// error. It ends where do comes through, and gives the number of failures.
func failing(t *testing.T, start []byte, do func(d *disk) error, after func(d *disk, err error)) (failures int) {
	t.Helper()
	for _, way := range []struct{ partly, short bool }{{}, {partly: true}, {true, true}} {
		for left := 0; ; left++ {
			d := newDisk(start)
			d.left, d.partly, d.short = left, way.partly, way.short
			err := do(d)
			if !d.failed {
				if err != nil {
					t.Fatalf("no call failed: %v", err)
				}
				break
			}
			failures++
			after(d, err)
		}
	}
	return failures
}

// A disk that fails at any call ends a writer with that error, and leaves a
// frame that was there before as it was, or as it would be.
func TestDiskFails(t *testing.T) {
	const held, more = 1100, 1500
	d := newDisk(nil)
	w, err := stream.NewWriter(d, common()...)
	must(t, err)
	_, err = w.Write(pattern(0, held))
	must(t, errors.Join(err, w.Close()))
	start := d.b
	for _, c := range []struct {
		name  string
		start []byte
		do    func(d *disk) error
	}{
		{"stream", nil, func(d *disk) error {
			w, err := stream.NewWriter(d, common()...)
			if err != nil {
				return err
			}
			return writeAll(w, 0, more)
		}},
		{"stream with two workers", nil, func(d *disk) error {
			w, err := stream.NewWriter(d, common(stream.Workers(2))...)
			if err != nil {
				return err
			}
			return writeAll(w, 0, more)
		}},
		{"append", start, func(d *disk) error {
			w, err := stream.Append(d, int64(len(d.b)), stream.Workers(1))
			if err != nil {
				return err
			}
			return writeAll(w, held, more)
		}},
		{"editor", start, func(d *disk) error {
			e, err := frame.Edit(d, int64(len(d.b)))
			if err != nil {
				return err
			}
			err = errors.Join(e.Append(pattern(held, 700)), e.Append(pattern(held+700, more-700)))
			return errors.Join(err, e.Commit())
		}},
		{"seal", unsealed(t, pattern(0, held)), func(d *disk) error { return frame.Seal(d, int64(len(d.b))) }},
	} {
		n := failing(t, c.start, c.do, func(d *disk, err error) {
			if !errors.Is(err, errBroken) && !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s: %d calls work, then: %v", c.name, len(d.log), err)
			}
			if c.start == nil {
				return
			}
			got, err := content(c.name, d.b)
			if err != nil || len(got) < held || !bytes.Equal(got, pattern(0, len(got))) {
				t.Errorf("%s: after %d calls the frame gives %d bytes: %v", c.name, len(d.log), len(got), err)
			}
		})
		t.Logf("%s: %d failures", c.name, n)
		if n < 3 {
			t.Errorf("%s: too few failures", c.name)
		}
	}
}

// writeAll writes n bytes of the pattern in three parts, with a Flush and a
// Checkpoint between.
func writeAll(w *stream.Writer, at, n int) (err error) {
	defer func() { err = errors.Join(err, w.Close()) }()
	for i, step := range []func() error{w.Flush, w.Checkpoint, func() error { return nil }} {
		from, to := at+i*n/3, at+(i+1)*n/3
		if _, err := w.Write(pattern(from, to-from)); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return w.Close()
}

// limited runs the command of $BLOSC2_RELIABILITY_ARGS with files limited to a
// number of bytes: a disk that is full.
func limited(limit string) error {
	signal.Ignore(syscall.SIGXFSZ)
	n, err := strconv.ParseUint(limit, 10, 64)
	if err != nil {
		return err
	}
	if err := limitFiles(n); err != nil {
		return err
	}
	args := strings.Split(os.Getenv("BLOSC2_RELIABILITY_ARGS"), "\n")
	return syscall.Exec(args[0], args, os.Environ())
}

// The command line leaves the old file where a new one cannot be written, and
// nothing beside it.
func TestCommandDiskFull(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("limits files as Linux does")
	}
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
