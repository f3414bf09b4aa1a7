//go:build linux && !purego

package prefault

import (
	"encoding/binary"
	"io"
	"os"
	"reflect"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// All pages of the program's code and constants are mapped.
func TestProgram(t *testing.T) {
	if err := supports(t); err != nil {
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

// supports returns the error of the kernel when it is asked, through package syscall, to map a
// page of memory.
func supports(t *testing.T) error {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(b)
	return syscall.Madvise(b, advicePopulate)
}
