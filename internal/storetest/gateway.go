package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// These are the credentials of Gateway.
const AccessKey, SecretKey = "someone", "something"

// Gateway starts versitygw, a server with the S3 protocol, with a bucket named
// "bucket", and returns its URL.
func Gateway(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		out, _ := exec.Command("go", "env", "GOPATH").Output()
		program = filepath.Join(strings.TrimSpace(string(out)), "bin", "versitygw")
		if _, err := os.Stat(program); err != nil {
			b2test.Missing(t, "versitygw is missing: go install github.com/versity/versitygw/cmd/versitygw@latest")
		}
	}
	addr := FreeAddress(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bucket"), 0o777); err != nil {
		t.Fatal(err)
	}
	StartProgram(t, "http://"+addr, exec.Command(program, "--port", addr, "--access", AccessKey, "--secret", SecretKey, "posix", dir))
	return "http://" + addr
}
