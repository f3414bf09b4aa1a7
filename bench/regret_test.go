package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files are divided into halves, and a single file has no second half.
func TestCrossNeedsTwo(t *testing.T) {
	dir := t.TempDir()
	grid := filepath.Join(dir, "grid.csv")
	if err := os.WriteFile(grid, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := benchCross(dir, grid, []dataset{{name: "x.f4"}}, func(string) {})
	if err == nil || !strings.Contains(err.Error(), "two files") {
		t.Errorf("error %v", err)
	}
}

// The section regret overwrites regret.md, in a folder that need not exist. The section
// cross appends to it.
func TestOpenRegret(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results", "today")
	write := func(flag int, text string) {
		t.Helper()
		f, err := openRegret(dir, flag)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		write(os.O_TRUNC, "regret\n")
	}
	write(os.O_APPEND, "cross\n")
	if got, err := os.ReadFile(filepath.Join(dir, "regret.md")); err != nil || string(got) != "regret\ncross\n" {
		t.Errorf("%q, %v", got, err)
	}
}
