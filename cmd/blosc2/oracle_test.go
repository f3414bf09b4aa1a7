package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// C-Blosc2 reads the command's outputs for files with holes, sound, tables and
// typed items, although it does not know their metalayers.
func TestOracleReads(t *testing.T) {
	libs := b2test.Oracles(t)
	dir := t.TempDir()
	holes := filepath.Join(dir, "holes.f4")
	f, err := os.Create(holes)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(80 << 20); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("not zero"), 37<<20+5); err != nil {
		t.Fatal(err)
	}
	f.Close()
	sound, table, typed := filepath.Join(dir, "a.wav"), filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.i2")
	for name, b := range map[string][]byte{sound: wavBytes(2, 5000), table: []byte("a,b\n1,x\n2,yy\n"), typed: bytes.Repeat([]byte("typed"), 999)} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args    []string
		made    string
		command string
	}{
		{[]string{holes}, holes + frameSuffix, "read-frame"},
		{[]string{typed}, typed + frameSuffix, "read-frame"},
		{[]string{sound}, sound + arraySuffix, "read-b2nd"},
		{[]string{"--csv", table}, table + arraySuffix, "read-b2nd"},
	} {
		if status, text := said(t, append([]string{"-q"}, c.args...)...); status != exitDone {
			t.Fatal(text)
		}
		raw := filepath.Join(dir, "raw")
		if status, text := said(t, "-q", "-d", "--raw", "-f", "-o", raw, c.made); status != exitDone {
			t.Fatal(text)
		}
		want, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, lib := range libs {
			if got, err := lib.Decode(t, c.command, c.made); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %s: %d bytes, want %d, %v", lib.Path, filepath.Base(c.made), len(got), len(want), err)
			}
		}
	}
}
