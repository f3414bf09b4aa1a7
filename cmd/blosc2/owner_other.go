//go:build !unix

package main

import "io/fs"

// own reports whether the group of an output is that of its source. This system
// has no groups.
func (o *output) own() bool { return true }

func mostlyHoles(fs.FileInfo) bool { return false }
