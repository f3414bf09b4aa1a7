package storetest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/stream"
)

// RunCommand tests the program of a driver, in the folder blosc2-remote-SCHEME below
// the test's, as the command uses it.
func RunCommand(t *testing.T, d Driver) {
	s := d.start(t) // and the environment says where it is
	scheme, _, _ := strings.Cut(d.Base, "://")
	dir := t.TempDir()
	for name, from := range map[string]string{"blosc2": "github.com/seed03b80dae/blosc2/cmd/blosc2", driver.Name(scheme): "./" + driver.Name(scheme)} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), from).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
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
	data := Noise(40 << 20) // three parts
	file := filepath.Join(dir, "x.u4")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
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
	s.orphan(t)
	if out, _ := run(0, "uploads", d.Base); !bytes.Contains(out, []byte(s.url("orphan"))) {
		t.Errorf("an orphan: uploads prints %q", out)
	}
	run(0, "uploads", "--remove", d.Base)
	if left := s.unfinished(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// orphan leaves an upload of which all is put but the end.
func (s *server) orphan(t *testing.T) {
	t.Helper()
	object, err := s.store.Put(s.url("orphan"))
	if err != nil {
		t.Fatal(err)
	}
	frame, err := stream.Compress(nil, []byte("a frame that nobody completes"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := object.Put(t.Context(), 1, bytes.NewReader(frame), int64(len(frame))); err != nil {
		t.Fatal(err)
	}
}
