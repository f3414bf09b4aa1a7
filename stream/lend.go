package stream

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/seed03b80dae/blosc2/chunk"
)

// An idle connection holds no buffers and no codec tables: it borrows them for
// each chunk. Unused ones are shared by all connections of the program and
// freed by the garbage collector.

// Buffers at index i of the pools have 1<<i bytes.
const (
	smallestBuffer = 9  // the pools are not worth their overhead for less than 512 bytes
	largestBuffer  = 31 // large enough for the largest chunk
)

var buffers [largestBuffer + 1]sync.Pool // the pools, which hold values of type *byte

// borrow returns an empty buffer that holds at least n bytes.
func borrow(n int) []byte {
	i := max(bits.Len(uint(max(n, 1)-1)), smallestBuffer)
	if i > largestBuffer {
		return make([]byte, 0, n)
	}
	if p, ok := buffers[i].Get().(*byte); ok {
		return unsafe.Slice(p, 1<<i)[:0]
	}
	return make([]byte, 0, 1<<i)
}

// giveBack returns a buffer to the pools; nil is ignored.
func giveBack(b []byte) {
	n := cap(b)
	if i := bits.Len(uint(n)) - 1; n > 0 && i <= largestBuffer && n == 1<<i {
		buffers[i].Put(unsafe.SliceData(b))
	}
}

// A bench holds what a connection borrows to compress a chunk.
type bench struct {
	given  chunk.Encoder // compresses with the parameters of the connection
	search chunk.Encoder // compresses with the other parameters that are tried
}

var (
	benches     = sync.Pool{New: func() any { return new(bench) }}
	lentWorkers = sync.Pool{New: func() any { return new(worker) }} // workers for decompressing
)
