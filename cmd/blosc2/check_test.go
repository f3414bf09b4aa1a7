package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A flipped bit of a chunk never changes the output of a verb for a window: either
// the chunk is not read, or the damage is detected. With --check never some damage
// is not detected.
func TestWindowsNoticeDamage(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	sample, err := os.ReadFile("../../testdata/era5-t2m.f4")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("raw.f4"), sample[:128<<10], 0o666); err != nil {
		t.Fatal(err)
	}
	output := func(args ...string) ([]byte, error) {
		cmd := exec.Command("blosc2", args...)
		cmd.Dir = dir
		return cmd.Output()
	}
	must := func(args ...string) []byte {
		out, err := output(args...)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return out
	}
	set := []string{"--codec", "lz4", "--filters", "shuffle", "--level", "5"}
	must(append([]string{"compress", "-q", "--chunk", "32K", "--block", "2K", "-o", "f.b2frame", "raw.f4"}, set...)...)
	must(append([]string{"convert", "-q", "--shape", "128,256", "--chunks", "32,256", "--blocks", "4,64", "-o", "a.b2nd", "raw.f4"}, set...)...)
	must("tree", "create", "-q", "s.b2z", "a=a.b2nd")
	rng, missed := rand.New(rand.NewPCG(1, 2)), 0
	for _, c := range []struct {
		file string
		args []string
		flag bool
	}{
		{"f.b2frame", []string{"cat", "f.b2frame", "9000:9010"}, true},
		{"f.b2frame", []string{"cat", "f.b2frame", "100:20000:777"}, true},
		{"f.b2frame", []string{"slice", "--raw", "f.b2frame", "5000:9000"}, true},
		{"a.b2nd", []string{"cat", "a.b2nd", "40,7"}, true},
		{"a.b2nd", []string{"slice", "a.b2nd", "30:50,100:130"}, true},
		{"a.b2nd", []string{"plot", "--force", "a.b2nd", "40,10:50"}, true},
		{"a.b2nd", []string{"plot", "a.b2nd", "::9,::9"}, true},
		{"a.b2nd", []string{"reduce", "--sum", "a.b2nd"}, false},
		{"a.b2nd", []string{"info", "--stats", "--json", "a.b2nd"}, false},
		{"s.b2z", []string{"cat", "s.b2z:/a", "40,7"}, true},
	} {
		whole, err := os.ReadFile(file(c.file))
		if err != nil {
			t.Fatal(err)
		}
		want, noticed, wrong := must(c.args...), 0, 0
		for range 16 {
			b := bytes.Clone(whole)
			at := len(b)/8 + rng.IntN(len(b)*5/8)
			b[at] ^= 1 << rng.IntN(8)
			if err := os.WriteFile(file(c.file), b, 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := output(c.args...)
			if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
				noticed++
			} else if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, byte %d flipped: %v, other output", c.args, at, err)
			}
			if c.flag {
				got, err := output(append([]string{c.args[0], "--check", "never"}, c.args[1:]...)...)
				if err == nil && !bytes.Equal(got, want) {
					wrong++
				}
			}
		}
		if err := os.WriteFile(file(c.file), whole, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %d of 16 noticed; %d wrong with --check never", c.args, noticed, wrong)
		missed += wrong
		if noticed == 0 {
			t.Errorf("%v: nothing was noticed", c.args)
		}
	}
	if missed == 0 {
		t.Error("--check never compares digests")
	}
}
