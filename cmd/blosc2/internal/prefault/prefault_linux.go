//go:build (amd64 || arm64) && !purego

package prefault

const (
	page           = 4 << 10
	advicePopulate = 22 // MADV_POPULATE_READ of madvise(2), since Linux 5.14
)

// If the request fails, pages are mapped when they are accessed.
func init() {
	from, to := program()
	from &^= page - 1
	go madvise(from, to-from, advicePopulate) // beside the initialization of the other packages
}

// madvise is the system call. Its result does not matter.
//
//go:noescape
func madvise(at, size uintptr, advice int)

// program returns the bounds of the program's code and constants, which follow each other.
func program() (from, to uintptr)
