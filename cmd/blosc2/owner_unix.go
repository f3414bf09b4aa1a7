//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// setOwner sets the owner and the group of an output to those of its source, as far as
// permitted, and reports whether the group is the same.
func (o *output) setOwner() bool {
	want, ok := o.like.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	if info, err := o.stat(); err == nil {
		if is, ok := info.Sys().(*syscall.Stat_t); ok && is.Uid == want.Uid && is.Gid == want.Gid {
			return true
		}
	}
	return o.File.Chown(int(want.Uid), int(want.Gid)) == nil || o.File.Chown(-1, int(want.Gid)) == nil
}

// sameFile reports whether a and b describe the same file.
func sameFile(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && x.Dev == y.Dev && x.Ino == y.Ino
}

// mostlyHoles reports whether a file takes less than an eighth of its length on
// disk, and is long enough to matter.
func mostlyHoles(info fs.FileInfo) bool {
	if info == nil || info.Size() < 64<<20 {
		return false
	}
	return withoutHoles(info) < info.Size()/8
}

// withoutHoles returns the number of bytes that a file takes on disk, or its length if
// that is less or the file is not a local one.
func withoutHoles(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(s.Blocks*512, info.Size())
	}
	return info.Size()
}
