package b2nd

import "time"

// A timer keeps the shortest of the times between start and stop, because longer
// ones are due to other load on the machine.
type timer struct {
	begin time.Time
	best  time.Duration
}

func (t *timer) start() { t.begin = time.Now() }

func (t *timer) stop() {
	if took := time.Since(t.begin); t.best == 0 || took < t.best {
		t.best = took
	}
}
