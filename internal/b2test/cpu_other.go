//go:build !unix

package b2test

import "time"

var began = time.Now()

// CPUTime is the time that has passed, where that of the process is not known.
func CPUTime() time.Duration { return time.Since(began) }
