//go:build linux && !purego

package hugeheap

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// The memory that holds a variable of the heap has a huge page.
func TestHugeHeap(t *testing.T) {
	if err := collapses(t); err != nil {
		t.Skip("the kernel makes no huge pages on request: ", err)
	}
	if errno := advise(uintptr(unsafe.Pointer(first)), hugePage, adviceCollapse); errno != 0 {
		t.Error(syscall.Errno(errno))
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	at, inside := uint64(uintptr(unsafe.Pointer(first))), false
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		var size int
		if n, _ := fmt.Sscanf(line, "AnonHugePages: %d kB", &size); n == 1 && inside {
			if t.Logf("%d KiB in huge pages", size); size < hugePage>>10 {
				t.Errorf("%d KiB in huge pages, want %d or more", size, hugePage>>10)
			}
			return
		}
	}
	t.Error("the memory of the variable is not listed")
}

// collapses returns the error of the kernel when it is asked, by the system's own interface,
// for a huge page in memory that it has just mapped, or nil.
func collapses(t *testing.T) error {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, 2*hugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(b)
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (hugePage - 1)
	b[skip] = 1
	return syscall.Madvise(b[skip:skip+hugePage], adviceCollapse)
}
