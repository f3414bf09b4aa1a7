package b2test

import (
	"runtime/metrics"
	"testing"
	"time"
)

// These limit the cost of any input of a fuzz target.
const (
	MaxAlloc = 64 << 20
	MaxTime  = time.Second
)

// Cost begins to measure the cost of an input. The returned function ends the
// measurement, and fails the test if the input allocated too much memory or took
// too much processor time. Unlike elapsed time, that does not depend on the load of
// the machine.
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

// Allocated returns how many bytes have been allocated so far.
func Allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
