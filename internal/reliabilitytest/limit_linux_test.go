package reliabilitytest

import "syscall"

// limitFiles makes writing beyond n bytes of a file an error.
func limitFiles(n uint64) error {
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
}
