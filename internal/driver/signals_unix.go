//go:build unix

package driver

import (
	"os"
	"syscall"
)

// endings are the signals that a driver ignores.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
