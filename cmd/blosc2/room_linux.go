package main

import (
	"sync/atomic"

	"golang.org/x/sys/unix"

	_ "github.com/seed03b80dae/blosc2/cmd/blosc2/internal/prefault"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// A region is memory in huge pages of 2 MiB, if the kernel supports them. The first
// access to a page of 4 KiB takes a microsecond, in a virtual machine two; for the
// chunks in flight that adds up to the time of compressing several megabytes.
type region struct {
	bytes []byte
	used  atomic.Int64
}

const (
	regionSize = 64 << 20 // bytes of address space; pages that are not used take no memory
	hugePage   = 2 << 20
	regionMin  = 32 << 10 // smaller buffers are allocated on the heap
	largeMin   = 512 << 10
	forSmall   = 8 << 20 // bytes of the region for smaller buffers, such as those of the first search
)

// useHugePages allocates large buffers in a region, until it is full.
func useHugePages() {
	b, err := unix.Mmap(-1, 0, regionSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return
	}
	if unix.Madvise(b, unix.MADV_HUGEPAGE) != nil {
		unix.Munmap(b)
		return
	}
	r, other := &region{bytes: b}, room.Make
	room.Make = func(n int) []byte {
		if b := r.make(n); b != nil {
			return b
		}
		return other(n)
	}
}

// make returns n bytes, or nil if the region is full.
func (r *region) make(n int) []byte {
	if n < regionMin || n > len(r.bytes) || n < largeMin && r.used.Load() > forSmall {
		return nil
	}
	end := int(r.used.Add(int64(n+63) &^ 63))
	if end > len(r.bytes) {
		return nil
	}
	start := end - (n+63)&^63
	return r.bytes[start : start+n : start+n]
}
