//go:build unix

package main

import (
	"os"
	"syscall"
)

// endings are the signals that end the program: of a user, of the system, and
// of a terminal that is gone.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
