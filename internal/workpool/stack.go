package workpool

// These functions grow the stack of the calling goroutine at once, while it is shallow. A
// stack begins with 2 KiB, and would otherwise be copied in several steps, each of which looks
// up all callers. They may go when Go's runtime begins with larger stacks.

// growStack grows it to the 5 KiB that a producer needs. This halves the time of a short run.
//
//go:noinline
func growStack() byte {
	var b [5 << 10]byte
	return b[touch&1]
}

// GrowStack grows it to what compressing a block takes. In a process that compresses 2 MB this
// saves 2 to 7 % of the time (28 November 2026). A producer does not need it, and would take
// half a microsecond longer, and so would a worker that gets no task.
//
//go:noinline
func GrowStack() byte {
	var b [24 << 10]byte
	return b[touch&1]
}

var touch int
