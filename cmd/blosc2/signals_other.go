//go:build !unix

package main

import (
	"os"
	"syscall"
)

// endings holds the signals that end the program.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM}
