package b2test

import (
	"runtime/metrics"
	"testing"
	"time"
)

// What an input of a fuzz target may cost, whatever it is.
const (
	MaxAlloc = 64 << 20
	MaxTime  = time.Second
)

// Cost begins to measure what an input costs; what it returns ends that, and
// fails the test where it was too much memory, allocated, or too much time of
// the processor, which a busy machine does not make longer.
func Cost(t testing.TB) (end func()) {
	bytes, start := Allocated(), CPUTime()
	return func() {
		t.Helper()
		if n := Allocated() - bytes; n > MaxAlloc {
			t.Errorf("the input made %d bytes be allocated", n)
		}
		if d := CPUTime() - start; d > MaxTime {
			t.Errorf("the input took %v", d)
		}
	}
}

// Allocated is how many bytes have been allocated so far.
func Allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
