package storetest

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FakeGoogle starts fake-gcs-server, a server with Google's protocol, with a bucket
// named "bucket", and returns its URL. Clients reach it at public, unless that is
// empty.
func FakeGoogle(t testing.TB, public string) string {
	t.Helper()
	program, err := exec.LookPath("fake-gcs-server")
	if err != nil {
		out, _ := exec.Command("go", "env", "GOPATH").Output()
		if program, err = exec.LookPath(filepath.Join(strings.TrimSpace(string(out)), "bin", "fake-gcs-server")); err != nil {
			b2test.Missing(t, "fake-gcs-server is missing: go install github.com/fsouza/fake-gcs-server@latest")
		}
	}
	address := FreeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	if public == "" {
		public = "http://" + address
	}
	StartProgram(t, "http://"+address, exec.Command(program, "-scheme", "http", "-host", "127.0.0.1", "-port", port,
		"-backend", "memory", "-external-url", public, "-public-host", strings.TrimPrefix(public, "http://"), "-log-level", "error"))
	resp, err := http.Post("http://"+address+"/storage/v1/b?project=p", "application/json", strings.NewReader(`{"name":"bucket"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return "http://" + address
}
