//go:build !linux

package main

import "os"

// A writeBack is a file that is written as any other.
type writeBack struct{ *os.File }
