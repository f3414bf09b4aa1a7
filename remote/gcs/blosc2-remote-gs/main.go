// Command blosc2-remote-gs reads and writes gs:// names for the command blosc2,
// which finds it in its own folder or in PATH. It is a separate program because
// Google's client would slow the start of blosc2.
package main

import (
	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote/gcs"
)

func main() {
	driver.Main("gs", func(endpoint string) (driver.Store, error) { return gcs.FromEnvAt(endpoint) })
}
