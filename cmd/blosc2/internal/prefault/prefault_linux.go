//go:build (amd64 || arm64) && !purego

package prefault

import "unsafe"

const (
	page     = 4 << 10
	hugePage = 2 << 20
	grown    = 4 << 20 // the runtime maps the heap in aligned blocks of this size

	// Advice of Linux (madvise(2)).
	adviceHuge     = 14 // MADV_HUGEPAGE
	advicePopulate = 22 // MADV_POPULATE_READ, since 5.14
	adviceCollapse = 25 // MADV_COLLAPSE, since 6.1
)

// first is a variable on the heap, where the memory of small objects begins.
var first *[64]byte

// Errors do not matter: pages then stay as they are.
func init() {
	first = new([64]byte)
	at := uintptr(unsafe.Pointer(first))
	advise(at, grown, adviceHuge) // for pages that are not there yet
	advise(at, hugePage, adviceCollapse)
	if rest := grown - at%grown; rest < hugePage { // the heap will soon go on in the next block
		filler := make([]byte, rest) // reaches into that block, so the runtime maps it
		advise(uintptr(unsafe.Pointer(&filler[0]))+rest, grown, adviceHuge)
	}

	from, to := program()
	from &^= page - 1
	go madvise(from, to-from, advicePopulate) // beside the initialization of the other packages
}

// advise gives advice about the aligned block that holds at. It returns 0 or an error
// number. size is that of the block, a power of two.
func advise(at, size uintptr, advice int) (errno int) {
	return -madvise(at&^(size-1), size, advice)
}

// madvise is the system call.
//
//go:noescape
func madvise(at, size uintptr, advice int) (result int)

// program returns the bounds of the program's code and constants, which follow each other.
func program() (from, to uintptr)
