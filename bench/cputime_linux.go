package main

import (
	"syscall"
	"time"
	"unsafe"
)

// cpuTime returns the time that the calling thread has had a processor, which
// other processes on a shared machine change less than they change the clock.
func cpuTime() time.Duration {
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&t)), 0); err != 0 {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(t.Nano())
}
