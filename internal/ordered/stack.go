package ordered

// growStack has the stack of a new goroutine grow once, while it is empty,
// instead of step by step in the middle of its work: it begins with 2 KiB, and
// a producer needs some 5. That is half the time of a short run
// (BenchmarkSmallRead of package stream).
//
//go:noinline
func growStack() byte {
	var b [5 << 10]byte
	return b[touch&1]
}

var touch int
