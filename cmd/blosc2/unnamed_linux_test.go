package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// If a file cannot be linked to its name for any reason, a copy appears in its
// place.
func TestNoLink(t *testing.T) {
	probe := filepath.Join(t.TempDir(), "probe")
	put(t, probe, "", 0o666)
	usual, err := os.Stat(probe)
	if err != nil {
		t.Fatal(err)
	}
	for _, errno := range []error{unix.ENOENT, unix.EXDEV, unix.EPERM, unix.EOPNOTSUPP, unix.EMLINK, unix.EIO, unix.EEXIST} {
		for _, c := range []struct{ exists, force bool }{{false, false}, {false, true}, {true, true}, {true, false}} {
			dir := t.TempDir()
			name := filepath.Join(dir, "out")
			e := &env{stdout: os.Stdout, stderr: os.Stderr}
			e.link = func(_ uintptr, name string) error {
				return &os.LinkError{Op: "linkat", Old: "x", New: name, Err: errno}
			}
			want, mode := strings.Repeat("what was written", 10_000), usual.Mode()
			if c.exists && c.force {
				mode = 0o600
				put(t, name, "old", mode)
			}
			out, err := e.create(name, outFlags{Force: c.force})
			if err != nil {
				t.Fatal(err)
			}
			if out.tmp != "" {
				out.discard()
				t.Skip("the file system of the temporary folder makes no files without a name (O_TMPFILE)")
			}
			if _, err := out.writer().Write([]byte(want)); err != nil {
				t.Fatal(err)
			}
			if c.exists && !c.force { // another program creates the file first
				want, mode = "old", 0o600
				put(t, name, want, mode)
			}
			err = e.commit(out)
			if refused := c.exists && !c.force || errno == unix.EEXIST && !c.force; refused {
				if !errors.Is(err, errExists) {
					t.Errorf("%v, %+v: %v", errno, c, err)
				}
			} else if err != nil {
				t.Errorf("%v, %+v: %v", errno, c, err)
			}
			if got, err := os.ReadFile(name); string(got) != want && (c.exists || c.force || errno != unix.EEXIST) {
				t.Errorf("%v, %+v: %d bytes, want %d: %v", errno, c, len(got), len(want), err)
			}
			files, err := os.ReadDir(dir)
			if err != nil || len(files) > 1 {
				t.Errorf("%v, %+v: %v is left: %v", errno, c, files, err)
			}
			if info, err := os.Stat(name); err == nil && info.Mode() != mode {
				t.Errorf("%v, %+v: mode %v, want %v", errno, c, info.Mode(), mode)
			}
			if e.open.take() != nil {
				t.Errorf("%v, %+v: an interrupt would remove it", errno, c)
			}
		}
	}
}

// If the copy fails too, no file is left.
func TestNoLinkNoRoom(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	if err := os.Mkdir(gone, 0o777); err != nil {
		t.Fatal(err)
	}
	e := &env{stdout: os.Stdout, stderr: os.Stderr, link: nameUnnamed}
	out, err := e.create(filepath.Join(gone, "out"), outFlags{})
	if err != nil {
		t.Fatal(err)
	}
	if out.tmp != "" {
		out.discard()
		t.Skip("the file system of the temporary folder makes no files without a name (O_TMPFILE)")
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if err := e.commit(out); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
