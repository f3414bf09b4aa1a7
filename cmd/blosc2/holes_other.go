//go:build !linux

package main

import (
	"io"
	"os"
)

func withHoles(f *os.File, _ int64) io.Reader { return f }
