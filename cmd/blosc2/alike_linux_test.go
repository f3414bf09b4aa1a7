package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// As root, the owner of an output is that of its source.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, which may change owners")
	}
	name := filepath.Join(t.TempDir(), "x.f4")
	put(t, name, "some data, some data", 0o640)
	if err := os.Chown(name, 1234, 4321); err != nil {
		t.Skip("root of this container may not change owners: ", err)
	}
	if status, text := said(t, name); status != exitDone {
		t.Fatal(text)
	}
	info, err := os.Stat(name + frameSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 4321 || info.Mode() != 0o640 {
		t.Errorf("owner %d, group %d, mode %v", s.Uid, s.Gid, info.Mode())
	}
}
