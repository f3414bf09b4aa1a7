package b2test

import (
	"testing"
	"time"
)

// A recorder records that a test has failed.
type recorder struct {
	testing.TB
	failed int
}

func (r *recorder) Errorf(string, ...any) { r.failed++ }

var sink []byte

// Cost reports inputs that are too expensive.
func TestCost(t *testing.T) {
	for name, c := range map[string]struct {
		do   func()
		want int
	}{
		"nothing": {func() {}, 0},
		"memory":  {func() { sink = make([]byte, MaxAlloc+1) }, 1},
		"time": {func() {
			for began := CPUTime(); CPUTime()-began <= MaxTime; time.Sleep(0) {
			}
		}, 1},
	} {
		r := &recorder{TB: t}
		end := Cost(r)
		c.do()
		end()
		if r.failed != c.want {
			t.Errorf("%s: %d faults, want %d", name, r.failed, c.want)
		}
	}
}
