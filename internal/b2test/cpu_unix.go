//go:build unix

package b2test

import (
	"syscall"
	"time"
)

// CPUTime is the time that the process has used processors.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
