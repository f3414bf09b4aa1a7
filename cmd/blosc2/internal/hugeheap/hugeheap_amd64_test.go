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
	if errno := advise(uintptr(unsafe.Pointer(first)), hugePage, adviceCollapse); syscall.Errno(errno) == syscall.EINVAL {
		t.Skip("the kernel makes no huge pages on request")
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
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
