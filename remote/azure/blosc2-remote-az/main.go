// Command blosc2-remote-az reads and writes az:// names for the command blosc2,
// which finds it in its own folder or in PATH. It is a separate program because
// Azure's client would slow the start of blosc2.
package main

import (
	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote/azure"
)

func main() {
	driver.Main("az", func(endpoint string) (driver.Store, error) { return azure.FromEnvAt(endpoint) })
}
