package stream

import (
	"runtime"
	"testing"
)

// The number of workers comes from the option, otherwise from the header, otherwise from
// GOMAXPROCS. GOMAXPROCS and the memory limit bound it.
func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, c := range []struct {
		option, header int
		chunk, memory  int64
		workers, jobs  int
	}{
		{0, 0, 1 << 20, 512 << 20, 8, 10},
		{3, 0, 1 << 20, 512 << 20, 3, 5},
		{3, 5, 1 << 20, 512 << 20, 3, 5},
		{0, 5, 1 << 20, 512 << 20, 5, 7},
		{0, 32767, 1 << 20, 512 << 20, 8, 10},
		{100, 0, 1 << 20, 512 << 20, 8, 10},
		{0, 0, 64 << 20, 512 << 20, 8, 4},
		{0, 0, 1 << 30, 512 << 20, 8, 1},
		{7, 0, 0, 512 << 20, 7, 9},
		{0, -5, -1, 512 << 20, 8, 10},
		{1, 0, 1 << 20, 1, 1, 1},
	} {
		cfg := common{workers: c.option, inFlight: c.memory}
		if workers, jobs := cfg.parallelism(c.header, c.chunk); workers != c.workers || jobs != c.jobs {
			t.Errorf("%+v: %d workers, %d jobs", c, workers, jobs)
		}
	}
}
