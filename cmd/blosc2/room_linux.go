package main

import (
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/seed03b80dae/blosc2/internal/room"
)

// A region is memory in pages of 2 MiB, where the kernel gives such to those
// who ask for them. The first touch of a page of 4 KiB costs a microsecond, in
// a virtual machine two, which for the chunks in flight comes to as much as to
// compress some megabytes.
type region struct {
	bytes []byte
	used  atomic.Int64
}

const (
	regionSize = 64 << 20 // of addresses; what is not touched costs nothing
	hugePage   = 2 << 20
	regionMin  = 64 << 10 // smaller buffers come from elsewhere
)

// useHugePages has large buffers made in a region, until that is full.
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

// make returns n bytes, or nil.
func (r *region) make(n int) []byte {
	if n < regionMin || n > len(r.bytes) {
		return nil
	}
	end := int(r.used.Add(int64(n+63) &^ 63))
	if end > len(r.bytes) {
		return nil
	}
	start := end - (n+63)&^63
	return r.bytes[start : start+n : start+n]
}
