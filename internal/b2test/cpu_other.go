//go:build !unix

package b2test

import "time"

var began = time.Now()

// CPUTime returns the elapsed time, because that of the process is unknown.
func CPUTime() time.Duration { return time.Since(began) }
