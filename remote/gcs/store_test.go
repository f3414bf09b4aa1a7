package gcs_test

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/remote/gcs"
)

var tested = storetest.Driver{
	Base:    "gs://bucket",
	Start:   start,
	Connect: connect,
	Denied:  func(testing.TB, string) map[string]storetest.Store { return nil }, // the server lets everybody in
	Reads: func(r *http.Request) bool {
		return r.Method == http.MethodGet && r.URL.Query().Get("alt") == "media"
	},
	Puts:      func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/upload/") },
	Completes: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/compose") },
	Version:   "X-Goog-Generation",
	Hidden:    true,
}

func TestStore(t *testing.T) { storetest.Run(t, tested) }

func BenchmarkStore(b *testing.B) { storetest.Benchmark(b, tested) }

func TestCommand(t *testing.T) { storetest.RunCommand(t, tested) }

// start starts fake-gcs-server, with one bucket.
func start(t testing.TB, public string) string {
	t.Helper()
	program, err := exec.LookPath("fake-gcs-server")
	if err != nil {
		out, _ := exec.Command("go", "env", "GOPATH").Output()
		if program, err = exec.LookPath(filepath.Join(strings.TrimSpace(string(out)), "bin", "fake-gcs-server")); err != nil {
			b2test.Missing(t, "fake-gcs-server is missing: go install github.com/fsouza/fake-gcs-server@latest")
		}
	}
	address := storetest.FreeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	storetest.StartProgram(t, "http://"+address, exec.Command(program, "-scheme", "http", "-host", "127.0.0.1", "-port", port,
		"-backend", "memory", "-external-url", public, "-public-host", strings.TrimPrefix(public, "http://"), "-log-level", "error"))
	resp, err := http.Post("http://"+address+"/storage/v1/b?project=p", "application/json", strings.NewReader(`{"name":"bucket"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return "http://" + address
}

// connect connects as the environment says.
func connect(t testing.TB, address string) storetest.Store {
	t.Helper()
	t.Setenv("STORAGE_EMULATOR_HOST", address)
	s, err := gcs.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A store at another address than the environment says, without credentials.
func TestEndpoint(t *testing.T) {
	t.Setenv("STORAGE_EMULATOR_HOST", "")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", "")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GCE_METADATA_HOST", "")
	moved := tested
	moved.Connect = func(t testing.TB, address string) storetest.Store {
		s, err := gcs.FromEnvAt(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	storetest.RunEnds(t, moved)
}
