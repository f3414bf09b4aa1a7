//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/storetest"
)

// The shards are whole and join to the input, even if workers of a folder are killed
// at any moment, run twice, or end late.
func TestShardsKilled(t *testing.T) {
	program, err := exec.LookPath("blosc2")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	storetest.ShardsKilled(t, program, func(trial int) string { return filepath.Join(dir, fmt.Sprint(trial)) }, func(folder string) []byte {
		out := folder + ".b2frame"
		if log, err := exec.Command(program, "assemble", "-q", "-o", out, folder).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, log)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		return b
	})
}
