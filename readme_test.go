package blosc2_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program in the README runs as it is pasted, and returns its input.
func TestReadmeProgram(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "```go\n")
	program, _, ended := strings.Cut(rest, "```")
	if !ok || !ended {
		t.Fatal("the README has no program")
	}
	// Within the module, so that it is built with this library.
	dir, err := os.MkdirTemp(".", "testreadme")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	bin, err := filepath.Abs(filepath.Join(dir, "program"))
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", bin, "./"+dir)
	build.Env = append(os.Environ(), "GOOS=", "GOARCH=") // for this machine, also where the test runs emulated
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	input, err := os.ReadFile("testdata/era5-t2m.f4")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin)
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(input)
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, input) {
		t.Fatalf("%d bytes of %d: %v", len(got), len(input), err)
	}
}
