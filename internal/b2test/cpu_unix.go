//go:build unix

package b2test

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time used by the process.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
