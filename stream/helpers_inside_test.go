package stream

import (
	"runtime"
	"testing"
)

// twoProcs raises GOMAXPROCS to 2, so that two workers are allowed.
func twoProcs(t *testing.T) {
	old := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}
