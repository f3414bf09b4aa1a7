//go:build linux && !purego

package prefault

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The memory that holds a variable of the heap has a huge page.
func TestHeap(t *testing.T) {
	if err := supports(t, adviceCollapse); err != nil {
		t.Skip("the kernel makes no huge pages on request: ", err)
	}
	at := uintptr(unsafe.Pointer(first))
	if errno := advise(at, hugePage, adviceCollapse); errno != 0 {
		t.Error(syscall.Errno(errno))
	}
	if size := huge(t, at); size < hugePage {
		t.Errorf("%d bytes in huge pages, want %d or more", size, hugePage)
	}
}

// All pages of the program's code and constants are mapped.
func TestProgram(t *testing.T) {
	if err := supports(t, advicePopulate); err != nil {
		t.Skip("the kernel does not map pages on request: ", err)
	}
	from, to := program()
	code, constant := reflect.ValueOf(TestProgram).Pointer(), uintptr(unsafe.Pointer(unsafe.StringData("constant")))
	if code < from || code >= to || constant < from || constant >= to {
		t.Errorf("code at %#x and constants at %#x are not between %#x and %#x", code, constant, from, to)
	}
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pages := make([]uint64, (to-1)/page-from/page+1)
	var missing int
	for range 1000 { // a goroutine maps them
		if err := binary.Read(io.NewSectionReader(f, int64(from/page*8), int64(8*len(pages))), binary.LittleEndian, pages); err != nil {
			t.Fatal(err)
		}
		missing = 0
		for _, entry := range pages {
			if present := entry >> 63; present == 0 {
				missing++
			}
		}
		if missing == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d of %d pages are not mapped", missing, len(pages))
}

// huge returns the number of bytes in huge pages in the mapping that holds an address.
func huge(t *testing.T, at uintptr) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		var size int
		if n, _ := fmt.Sscanf(line, "AnonHugePages: %d kB", &size); n == 1 && inside {
			return size << 10
		}
	}
	t.Fatalf("no mapping at %#x", at)
	return 0
}

// supports returns the error of the kernel when it is asked, by the system's own interface,
// for pages in memory that it has just mapped, or nil.
func supports(t *testing.T, advice int) error {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, 2*hugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(b)
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (hugePage - 1)
	b[skip] = 1
	return syscall.Madvise(b[skip:skip+hugePage], advice)
}
