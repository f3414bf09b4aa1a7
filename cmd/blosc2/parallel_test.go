package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Several small files are processed at a time: each survives a round trip, failures
// are reported in the order of the inputs, and no output replaces another.
func TestManySmallFiles(t *testing.T) {
	dir := t.TempDir()
	var names []string
	data := func(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8)}, i%700) }
	for i := range 600 {
		name := filepath.Join(dir, fmt.Sprintf("d%d", i%3), fmt.Sprintf("x%03d.u%d", i, 1<<(i%4)))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data(i), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		if i%200 == 50 {
			names = append(names, fmt.Sprintf("%s/missing%d", dir, i))
		}
	}
	out := filepath.Join(dir, "out")
	status, text := said(t, append([]string{"-j", "4", "-o", out + "/"}, names...)...)
	lines := strings.Split(text, "\n")
	if status != exitFailed || len(lines) != 6 || !strings.Contains(lines[0], "missing50:") || !strings.Contains(lines[1], "missing250:") ||
		!strings.Contains(lines[2], "missing450:") || !strings.Contains(lines[3], "600 files: ") || !strings.Contains(lines[4], "3 of 603 files failed") {
		t.Errorf("exit status %d: %s", status, text)
	}
	back := filepath.Join(dir, "back")
	if status, text := said(t, "-d", "-q", "-j", "4", "-r", "--rm", "-o", back+"/", out); status != exitDone {
		t.Errorf("exit status %d: %s", status, text)
	}
	for i := range 600 {
		name := filepath.Join(back, "out", fmt.Sprintf("x%03d.u%d", i, 1<<(i%4)))
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, data(i)) {
			t.Fatalf("%s: %d bytes, want %d, %v", name, len(got), len(data(i)), err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(out, "*")); err != nil || len(left) > 0 {
		t.Errorf("%d inputs are left", len(left))
	}

	// Two inputs of the same name in different folders have the same output: one of
	// them fails, with or without --force.
	same := []string{filepath.Join(dir, "a", "x"), filepath.Join(dir, "b", "x")}
	for _, name := range same {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if status, text := said(t, "-q", "-f", "-o", out, same[0], same[1]); status != exitFailed || !strings.Contains(text, "also the output of another input") {
		t.Errorf("exit status %d: %s", status, text)
	}
}
