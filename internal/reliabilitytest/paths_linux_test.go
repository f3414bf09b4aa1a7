//go:build amd64

package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func init() {
	for name, o := range operations {
		if o.do != nil {
			children["do "+name] = o.do
		}
	}
}

// diskFaults lists the ways in which calls can fail.
func diskFaults() map[string]fault {
	writes := func(call string) bool {
		return slices.Contains([]string{"write", "pwrite", "truncate", "fsync", "mkdir", "link", "copy"}, call)
	}
	onlyWrites := func(call string) bool { return call == "write" || call == "pwrite" }
	return map[string]fault{
		"EIO once":                          {errno: syscall.EIO},
		"ENOSPC from then on":               {errno: syscall.ENOSPC, only: writes, forever: true},
		"half a write, then ENOSPC once":    {errno: syscall.ENOSPC, only: onlyWrites, half: true},
		"half a write, ENOSPC from then on": {errno: syscall.ENOSPC, only: onlyWrites, half: true, forever: true},
	}
}

// Every function with a path, and every verb of the command that makes or changes a
// file, is run with an error of every system call that concerns a file. It must report
// the error. The contents of the file must be those before or after the change, and no
// other file may be left.
func TestSystemCallsFail(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode: starts a hundred processes")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "blosc2")
	build := exec.Command("go", "build", "-o", tool, "./cmd/blosc2")
	build.Dir = b2test.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	names := make([]string, 0, len(operations))
	for name := range operations {
		names = append(names, name)
	}
	slices.Sort(names)
	runs, failures := 0, 0
	for i, name := range names {
		o := operations[name]
		work := filepath.Join(dir, fmt.Sprint(i))
		must(t, os.Mkdir(work, 0o777))
		r := &trial{t: t, name: name, o: &o, dir: work, tool: tool}
		r.begin()
		calls, text, err := r.run(fault{}, -1)
		if calls == nil && err != nil {
			// Some containers do not allow notification: those with a supervisor, or
			// with their own kernel. .ci/run reports that; any other error is a
			// failure.
			if _, why, ok := strings.Cut(text, refusal); ok {
				t.Skipf("not run: the kernel stops no system calls here: %s%s", refusal, why)
			}
			t.Fatalf("%v: %s", err, text)
		}
		if err != nil {
			t.Errorf("%s: nothing fails, but: %v: %s", name, err, text)
			continue
		}
		r.want = r.now()
		for how, f := range diskFaults() {
			all, _, _ := r.again(f, -1)
			for k := 0; k < len(all); k += pick(1+len(all)/4, 1) {
				calls, text, err := r.again(f, k)
				runs++
				if len(calls) <= k {
					t.Logf("%s, %s: there was no call %d, %s, this time", name, how, k, all[k])
					continue
				}
				if err != nil {
					failures++
				}
				r.judge(fmt.Sprintf("%s, %s, call %d of %d (%s)", name, how, k, len(all), calls[k]), calls[k], text, err)
			}
		}
	}
	t.Logf("%d operations, %d runs with a call that fails; %d ended with an error, the others had done all there was to do", len(names), runs, failures)
}

// A trial is an operation in a separate folder.
type trial struct {
	t    *testing.T
	name string
	o    *operation
	dir  string
	tool string
	old  []byte
	want []byte // contents of f if nothing fails
}

// begin recreates the folder.
func (r *trial) begin() {
	must(r.t, os.RemoveAll(r.dir))
	must(r.t, os.Mkdir(r.dir, 0o777))
	f := filepath.Join(r.dir, "f")
	switch {
	case r.o.dir:
		must(r.t, os.Mkdir(f, 0o777))
		s, err := frame.CreateSparse(frame.OSDir(f), &header.Header{TypeSize: 4, ChunkSize: 400, Level: 5})
		must(r.t, err)
		must(r.t, errors.Join(s.Append(pattern(0, held)), s.Commit()))
	case r.o.old != nil:
		if r.old == nil {
			r.old = r.o.old(r.t)
		}
		must(r.t, os.WriteFile(f, r.old, 0o666))
	}
	if r.o.dir {
		r.old = r.now()
	}
	if r.o.in != nil {
		must(r.t, os.WriteFile(filepath.Join(r.dir, "in"), r.o.in(r.t), 0o666))
	}
}

func (r *trial) again(f fault, k int) ([]string, string, error) {
	r.begin()
	return r.run(f, k)
}

func (r *trial) run(f fault, k int) ([]string, string, error) {
	r.t.Helper()
	if r.o.do != nil {
		exe, err := os.Executable()
		must(r.t, err)
		return faulty(r.t, r.dir, f, k, "do "+r.name, exe)
	}
	args := []string{r.tool}
	for _, arg := range r.o.args {
		args = append(args, strings.Replace(arg, "DIR", r.dir, 1))
	}
	return faulty(r.t, r.dir, f, k, "", args...)
}

// now returns the contents of f, or nil if f does not exist.
func (r *trial) now() []byte {
	r.t.Helper()
	path := filepath.Join(r.dir, "f")
	if r.o.dir {
		f, err := frame.OpenFile(path, frame.AllowTorn())
		must(r.t, err)
		defer f.Close()
		data := make([]byte, f.Size())
		_, err = f.ReadAt(data, 0)
		must(r.t, err)
		return data
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	must(r.t, err)
	return b
}

// judge checks the result of a run in which a call failed.
func (r *trial) judge(what, call, text string, err error) {
	t := r.t
	t.Helper()
	got, old, want := r.now(), r.old, r.want
	if r.o.read != nil {
		var gotErr, oldErr, wantErr error
		got, gotErr = r.o.read(got)
		old, oldErr = r.o.read(old)
		want, wantErr = r.o.read(want)
		must(t, errors.Join(oldErr, wantErr))
		if gotErr != nil {
			t.Errorf("%s: what is left cannot be read: %v", what, gotErr)
			return
		}
	}
	between := r.o.read != nil && bytes.HasPrefix(want, got) && bytes.HasPrefix(got, old) // an intermediate commit
	switch {
	case !bytes.Equal(got, old) && !bytes.Equal(got, want) && r.o.rescues && strings.Contains(text, "input/output error"):
		// the operation has reported what could not be read; the command then exits
		// with status 3
	case err == nil && !bytes.Equal(got, want):
		t.Errorf("%s: no error, but f has %d bytes, and should have %d", what, len(got), len(want))
	case err != nil && !bytes.Equal(got, old) && !bytes.Equal(got, want) && !between:
		t.Errorf("%s: f has %d bytes, before it had %d: %v, %s", what, len(got), len(old), err, text)
	case err != nil && !strings.Contains(text, "error") && !strings.Contains(text, "no space"):
		t.Errorf("%s: the error does not come out: %v, %q", what, err, text)
	}
	if strings.Contains(text, "panic") || strings.Contains(text, "goroutine ") {
		t.Errorf("%s: %s", what, text)
	}
	if strings.HasPrefix(call, "unlink") || strings.HasSuffix(call, ".b2lock") && !strings.Contains(call, "write") {
		return // a file whose removal failed remains, and so does a lock file that others might have locked
	}
	files, err := os.ReadDir(r.dir)
	must(t, err)
	for _, file := range files {
		if name := file.Name(); name != "f" && name != "in" {
			t.Errorf("%s: %s is left", what, name)
		}
	}
}
