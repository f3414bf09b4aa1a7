//go:build !unix

package main

import (
	"io/fs"
	"os"
)

// setOwner reports whether the output has its source's group. It returns true, because
// this system has no groups.
func (o *output) setOwner() bool { return true }

func sameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

func mostlyHoles(fs.FileInfo) bool { return false }

func withoutHoles(info fs.FileInfo) int64 { return info.Size() }
