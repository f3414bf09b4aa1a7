package b2nd

import "time"

// A timer adds up the times of one of two things that are measured in turns.
type timer struct {
	sum   time.Duration
	begin time.Time
}

func (t *timer) start()           { t.begin = time.Now() }
func (t *timer) stop()            { t.sum += time.Since(t.begin) }
func (t *timer) seconds() float64 { return t.sum.Seconds() }
