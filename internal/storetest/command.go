package storetest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// RunCommand tests the program of a driver, in the folder blosc2-remote-SCHEME
// below that of the test, through the command.
func RunCommand(t *testing.T, d Driver) {
	s := d.start(t) // starts the server, and describes the store in the environment
	dir := d.build(t)
	run := func(want int, args ...string) (stdout []byte, stderr string) {
		t.Helper()
		var out, log bytes.Buffer
		cmd := exec.Command(filepath.Join(dir, "blosc2"), args...)
		cmd.Stdout, cmd.Stderr = &out, &log
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: %v\n%s", args, err, &log)
		}
		return out.Bytes(), log.String()
	}
	data := Noise(40 << 20) // the data take three parts
	file := filepath.Join(dir, "x.u4")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	s.testMemory(t, filepath.Join(dir, "blosc2"), file)
	object := s.url("folder/x.b2frame")
	run(0, "compress", "--typesize", "4", "-o", object, file)
	if out, _ := run(0, "-d", "-c", object); !bytes.Equal(out, data) {
		t.Error("decompress: other data")
	}
	if _, log := run(0, "info", "-v", object); !strings.Contains(log, object+": 2 requests, ") {
		t.Errorf("info -v: %s", log)
	}
	run(0, "verify", object)
	if _, log := run(1, "compress", "-o", object, file); !strings.Contains(log, "exists") {
		t.Errorf("an object that exists: %s", log)
	}
	if _, log := run(1, "info", s.url("nothing")); !strings.Contains(log, "404") || strings.Count(log, "\n") != 1 {
		t.Errorf("no such object: %s", log)
	}
	if out, _ := run(0, "uploads", d.Base); len(out) > 0 {
		t.Errorf("uploads: %s", out)
	}
	s.testCommandFaults(t, run, file, data)
	s.testCommandKilled(t, dir, file)
	s.orphan(t)
	if out, _ := run(0, "uploads", d.Base); !bytes.Contains(out, []byte(s.url("orphan"))) {
		t.Errorf("an orphan: uploads prints %q", out)
	}
	run(0, "uploads", "--remove", d.Base)
	if left := s.unfinished(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// build builds the command and its driver, in a folder that it returns. The tag is
// one of Google's client, which takes 9 MiB more without it.
func (d Driver) build(t testing.TB) (dir string) {
	t.Helper()
	scheme, _, _ := strings.Cut(d.Base, "://")
	dir = t.TempDir()
	for name, from := range map[string]string{"blosc2": "github.com/seed03b80dae/blosc2/cmd/blosc2", driver.Name(scheme): "./" + driver.Name(scheme)} {
		if out, err := exec.Command("go", "build", "-tags", "disable_grpc_modules", "-o", filepath.Join(dir, name), from).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}

// mostMemory is the largest memory of the command and its driver for an upload, in
// MiB, without transparent huge pages.
const mostMemory = 96

// testMemory tests how much memory an upload takes: from a file, from a pipe, and
// for a shard.
func (s *server) testMemory(t *testing.T, command, file string) {
	withoutHugePages(t)
	compress := []string{"compress", "--typesize", "4", "--force", "-o", s.url("memory")}
	for _, args := range [][]string{{file}, {"-"}, {"--shard", "0/1", file}} {
		cmd := exec.Command(command, append(compress, args...)...)
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		cmd.Stdin = io.MultiReader(in) // a reader that is not a file makes the input a pipe
		sum := 0.0
		for _, peak := range peaksOf(t, cmd) {
			sum += peak
		}
		if t.Logf("%s: %.1f MiB resident", args[0], sum); sum > mostMemory {
			t.Errorf("%s: an upload takes %.1f MiB, more than %d", args[0], sum, mostMemory)
		}
	}
	if err := remote.RemoveShards(t.Context(), s.store, s.url("memory")); err != nil {
		t.Error(err)
	}
}

// testCommandFaults tests that a part which fails once is put again through the driver.
// A fault that persists must result in an error of one clear line, and leave no object
// or upload.
func (s *server) testCommandFaults(t *testing.T, run func(want int, args ...string) ([]byte, string), file string, data []byte) {
	for _, tt := range []struct {
		what        string
		match       func(*http.Request) bool
		times, code int
		exit        int
		says        string
	}{
		{"every part fails once", s.d.Puts, 3, http.StatusServiceUnavailable, 0, ""},
		{"no part may be put", s.d.Puts, math.MaxInt, http.StatusForbidden, 1, "403"},
		{"it may not be completed", s.d.Completes, math.MaxInt, http.StatusForbidden, 1, "403"},
	} {
		fault, count := from(0, tt.times, tt.match, answer(tt.code))
		s.proxy.set(fault)
		_, log := run(tt.exit, "compress", "--typesize", "4", "--force", "-o", s.url("faults"), file)
		s.proxy.set(nil)
		if count() == 0 || !strings.Contains(log, tt.says) || strings.Count(log, "\n") != 1 {
			t.Errorf("%s: %d requests, %s", tt.what, count(), log)
		}
		if out, _ := run(0, "-d", "-c", s.url("faults")); !bytes.Equal(out, data) {
			t.Errorf("%s: other data", tt.what)
		}
		for _, u := range s.unfinished(t) {
			if !s.d.Stays || tt.exit == 0 && u.URL == s.url("faults") {
				t.Errorf("%s: left: %v", tt.what, u)
			}
		}
	}
	fault, count := from(0, 3, s.d.Puts, answer(http.StatusServiceUnavailable))
	s.proxy.set(fault)
	run(0, "compress", "--typesize", "4", "--shard", "0/1", "-o", s.url("shards"), file)
	s.proxy.set(nil)
	run(0, "assemble", s.url("shards"))
	if out, _ := run(0, "-d", "-c", s.url("shards")); count() == 0 || !bytes.Equal(out, data) {
		t.Errorf("a shard: %d requests, %d bytes", count(), len(out))
	}
	fault, _ = from(0, math.MaxInt, s.d.Reads, answer(http.StatusForbidden))
	s.proxy.set(fault)
	if _, log := run(1, "info", s.url("faults")); !strings.Contains(log, "403") || strings.Count(log, "\n") != 1 {
		t.Errorf("403: %s", log)
	}
	s.proxy.set(nil)
	if _, log := run(2, "compress", "-o", s.d.Base, file); strings.Count(log, "\n") != 1 {
		t.Errorf("no key: %s", log)
	}
}

// testCommandKilled kills the command alone, after which its driver must drop the
// upload. Then it kills both, which leaves an upload that must be listed.
func (s *server) testCommandKilled(t *testing.T, dir, file string) {
	for _, both := range []bool{false, true} {
		reached := make(chan bool, 100)
		fault, _ := from(0, math.MaxInt, s.d.Completes, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			reached <- true
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		})
		s.proxy.set(fault)
		cmd := exec.Command(filepath.Join(dir, "blosc2"), "compress", "--typesize", "4", "-o", s.url("killed"), file)
		ofGroup(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-reached:
		case <-time.After(time.Minute):
			t.Error("never reached")
		}
		if both {
			killGroup(cmd)
		} else {
			cmd.Process.Kill()
		}
		cmd.Wait()
		if both {
			s.proxy.set(nil)
		}
		for range 200 { // wait while the driver is busy
			if both || s.d.Stays || len(s.unfinished(t)) == 0 {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		s.proxy.set(nil)
		left := s.unfinished(t)
		if want := both || s.d.Stays; (len(left) == 1) != want {
			t.Errorf("both killed: %t: left: %v", both, left)
		}
		if _, err := s.read(t.Context(), "killed"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("both killed: %t: the object: %v", both, err)
		}
		for _, u := range left {
			if err := s.store.Remove(t.Context(), u); err != nil {
				t.Error(err)
			}
		}
	}
}

// orphan leaves an upload whose parts have all been put, but which is not completed.
func (s *server) orphan(t *testing.T) {
	t.Helper()
	object, err := s.store.Put(s.url("orphan"))
	if err != nil {
		t.Fatal(err)
	}
	frame, err := stream.Compress(nil, []byte("a frame that is not completed"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := object.Put(t.Context(), 1, bytes.NewReader(frame), int64(len(frame))); err != nil {
		t.Fatal(err)
	}
}
