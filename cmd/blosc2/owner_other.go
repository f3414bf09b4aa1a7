//go:build !unix

package main

import (
	"io/fs"
	"os"
)

// own reports whether the group of an output is that of its source. This system
// has no groups.
func (o *output) own() bool { return true }

func sameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

func mostlyHoles(fs.FileInfo) bool { return false }
