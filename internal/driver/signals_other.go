//go:build !unix

package driver

import "os"

// endings are the signals that a driver ignores.
var endings = []os.Signal{os.Interrupt}
