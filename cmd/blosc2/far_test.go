package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// An object on a server is read like a file, and errors do not show a URL's query.
func TestURLs(t *testing.T) {
	dir := t.TempDir()
	data := bytes.Repeat([]byte("far away"), 50_000)
	frame, err := stream.Compress(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data.b2frame"), frame, 0o666); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer srv.Close()
	command := func(args ...string) (status int, said string) {
		t.Helper()
		out, err := os.Create(filepath.Join(t.TempDir(), "said"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		status = run(append([]string{"blosc2"}, args...), os.Stdin, out, out)
		b, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return status, string(b)
	}
	url := srv.URL + "/data.b2frame?secret"
	back := filepath.Join(t.TempDir(), "back")
	if status, said := command("decompress", url, "-o", back); status != 0 {
		t.Errorf("decompress: %s", said)
	}
	if got, err := os.ReadFile(back); err != nil || !bytes.Equal(got, data) {
		t.Errorf("other data, or %v", err)
	}
	for _, verb := range []string{"info", "verify", "cat"} {
		if status, said := command(verb, url); status != 0 {
			t.Errorf("%s: %s", verb, said)
		}
	}
	if status, said := command("info", "-v", url); status != 0 || !strings.Contains(said, "1 request") {
		t.Errorf("info -v: %s", said)
	}
	if err := os.WriteFile(filepath.Join(dir, "raw"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, said := command("info", srv.URL+"/raw"); status != 1 || !strings.Contains(said, "/raw: not Blosc2 data; to read another file") {
		t.Errorf("status %d: %s", status, said)
	}
	status, said := command("info", srv.URL+"/nothing.b2frame?secret")
	if status == 0 || !strings.Contains(said, "404") || strings.Contains(said, "secret") {
		t.Errorf("status %d: %s", status, said)
	}
}
