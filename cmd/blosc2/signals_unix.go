//go:build unix

package main

import (
	"os"
	"syscall"
)

// endings holds the signals that end the program: from a user, from the system, and
// from a closed terminal.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
