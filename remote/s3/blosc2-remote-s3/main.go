// Command blosc2-remote-s3 reads and writes s3:// names for the command blosc2,
// which finds it in its own folder or in PATH. It is a separate program because the
// S3 client would slow the start of blosc2.
package main

import (
	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote/s3"
)

func main() {
	driver.Main("s3", func(endpoint string) (driver.Store, error) { return s3.FromEnvAt(endpoint) })
}
