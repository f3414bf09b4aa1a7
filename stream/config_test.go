package stream

import (
	"runtime"
	"testing"
)

// The option decides, else the header, else the machine; never more than
// GOMAXPROCS or the memory limit allow.
func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, c := range []struct {
		option, header int
		chunk, memory  int64
		want           int
	}{
		{0, 0, 1 << 20, 512 << 20, 8},
		{3, 0, 1 << 20, 512 << 20, 3},
		{3, 5, 1 << 20, 512 << 20, 3},
		{0, 5, 1 << 20, 512 << 20, 5},
		{0, 32767, 1 << 20, 512 << 20, 8},
		{100, 0, 1 << 20, 512 << 20, 8},
		{0, 0, 64 << 20, 512 << 20, 2},
		{0, 0, 1 << 30, 512 << 20, 1},
		{7, 0, 0, 512 << 20, 7},
		{0, -5, -1, 512 << 20, 8},
		{0, 0, 1 << 20, 1, 1},
	} {
		cfg := common{workers: c.option, inFlight: c.memory}
		if got := cfg.workersFor(c.header, c.chunk); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
