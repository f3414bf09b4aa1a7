package workpool

// GrowStack grows the stack of the calling goroutine to what compressing a block takes, at
// once and while it is shallow. A stack begins with 2 KiB. It would otherwise be copied four
// times, deep in a codec, and the tables of its callers would be read for each copy: in a
// process that compresses 2 MB that took 0.5 ms of 8.5, and in a producer half of a short
// run (28 November 2026). It may go when Go's runtime begins with such stacks.
//
//go:noinline
func GrowStack() byte {
	var b [24 << 10]byte
	return b[touch&1]
}

var touch int
