package blosc2_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

const readmeWords = 1000 // most words that the README may have

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns the contents of the code blocks of a language in text.
func blocks(text, language string) (all []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

func TestReadmeLength(t *testing.T) {
	if n := len(strings.Fields(readme(t))); n > readmeWords {
		t.Errorf("README.md has %d words, at most %d", n, readmeWords)
	}
}

// The programs in the README run as they are pasted. The first returns its
// input, the others print what their comments say.
func TestReadmePrograms(t *testing.T) {
	programs := blocks(readme(t), "go")
	if len(programs) < 2 {
		t.Fatalf("the README has %d programs", len(programs))
	}
	for i, program := range programs {
		// The folder is within the module, so that the program is built with this
		// library.
		dir, err := os.MkdirTemp(".", "_testreadme")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
		bin := build(t, "./"+dir)
		cmd := exec.Command(bin)
		cmd.Dir = dir
		if i == 0 {
			input, err := os.ReadFile("testdata/era5-t2m.f4")
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdin = bytes.NewReader(input)
			got, err := cmd.Output()
			if err != nil || !bytes.Equal(got, input) {
				t.Errorf("the first program: %d bytes of %d: %v", len(got), len(input), err)
			}
			continue
		}
		_, want, _ := strings.Cut(program, "// Output: ")
		want, _, _ = strings.Cut(want, "\n")
		if got, err := cmd.Output(); err != nil || string(got) != want+"\n" || want == "" {
			t.Errorf("program %d prints %q, want %q: %v", i+1, got, want, err)
		}
	}
}

// build builds a program for this machine, even if the test runs emulated.
func build(t *testing.T, dir string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "blosc2")
	cmd := exec.Command("go", "build", "-o", bin, dir)
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v: %s", dir, err, out)
	}
	return bin
}

// The lines of the README's shell session do what it shows.
func TestReadmeSession(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	sessions := blocks(readme(t), "console")
	if len(sessions) == 0 || !strings.HasPrefix(sessions[0], "$ blosc2 ") {
		t.Fatal("the README has no session")
	}
	bin := build(t, "./cmd/blosc2")
	dir := t.TempDir()
	data, err := os.ReadFile("testdata/era5-t2m.f4")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "t2m.f4"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, step := range strings.Split("\n"+sessions[0], "\n$ ")[1:] {
		line, want, _ := strings.Cut(step, "\n")
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		got, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v: %s", line, err, stderr.Bytes())
		}
		if strings.TrimSpace(string(got)) != strings.TrimSpace(want) {
			t.Errorf("%s prints %q, the README says %q", line, got, want)
		}
	}
}

// The README contains the two commands for a fresh machine.
func TestReadmeCommands(t *testing.T) {
	text := readme(t)
	for _, command := range []string{"$ go run ./cmd/blosc2 compress -o t2m.b2frame testdata/era5-t2m.f4\n", "$ go test ./... ./cmd/blosc2/...\n"} {
		if !strings.Contains(text, command) {
			t.Errorf("README.md misses %q", command)
		}
	}
}
