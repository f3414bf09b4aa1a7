package gcs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/remote/gcs"
)

var tested = storetest.Driver{
	Base:    "gs://bucket",
	Start:   storetest.FakeGoogle,
	Connect: connect,
	Denied:  func(testing.TB, string) map[string]storetest.Store { return nil }, // the server does not check credentials
	Reads: func(r *http.Request) bool {
		return r.Method == http.MethodGet && r.URL.Query().Get("alt") == "media"
	},
	Puts:      func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/upload/") },
	Completes: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/compose") },
	Version:   "X-Goog-Generation",
	Hidden:    true,
	InOrder:   true,
}

func TestStore(t *testing.T) { storetest.Run(t, tested) }

func BenchmarkStore(b *testing.B) { storetest.Benchmark(b, tested) }

func TestCommand(t *testing.T) { storetest.RunCommand(t, tested) }

// A store can be reached at an address that the environment does not name, without
// credentials.
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
