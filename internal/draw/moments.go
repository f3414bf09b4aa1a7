package draw

import (
	"math"
	"time"
)

// day is the length of a day in seconds.
const day = 86400

// steps holds the intervals between ticks at times, in seconds; longer ones are
// months.
var (
	steps  = []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, day, 2 * day, 7 * day, 14 * day}
	months = []int{1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000, 24000}
)

// moments returns ticks at round times, or nothing if they would be less than a
// second or many years apart.
func (s Scale) moments(n int) []Tick {
	lo, hi := s.Lo*s.Seconds, s.Hi*s.Seconds
	const limit = 250_000_000_000 // limit the years to -5,900 to 9,900
	want := (hi - lo) / float64(n)
	if !(want >= 0.1) || lo < -limit || hi > limit {
		return nil
	}
	for _, step := range steps {
		if step >= want*0.99 {
			return s.even(lo, hi, step)
		}
	}
	for _, m := range months {
		if float64(m)*30.4*day >= want*0.99 {
			return s.calendar(lo, hi, m)
		}
	}
	return nil
}

// even returns ticks at multiples of up to two weeks. Those of a day have the date
// below the first and wherever it changes.
func (s Scale) even(lo, hi, step float64) (list []Tick) {
	layout, sub := "15:04", time.DateOnly
	switch {
	case step >= day:
		layout, sub = "Jan 2", "2006"
	case step < 60:
		layout = "15:04:05"
	}
	last := ""
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi*(1+1e-15) && len(list) < 200; k++ {
		t := time.Unix(int64(k*step), 0).UTC()
		tick := Tick{At: clamp(k*step/s.Seconds, s.Lo, s.Hi), Label: t.Format(layout)}
		if text := t.Format(sub); text != last {
			tick.Sub, last = text, text
		}
		list = append(list, tick)
	}
	return list
}

// calendar returns ticks at the beginning of every nth month.
func (s Scale) calendar(lo, hi float64, every int) (list []Tick) {
	layout := "2006"
	if every < 12 {
		layout = "Jan"
	}
	first := time.Unix(int64(lo), 0).UTC()
	m := first.Year()*12 + int(first.Month()) - 1
	m = int(math.Floor(float64(m)/float64(every))) * every
	last := ""
	for ; len(list) < 200; m += every {
		year := int(math.Floor(float64(m) / 12))
		t := time.Date(year, time.Month(m-12*year+1), 1, 0, 0, 0, 0, time.UTC)
		at := float64(t.Unix())
		if at > hi {
			break
		}
		if at < lo {
			continue
		}
		tick := Tick{At: clamp(at/s.Seconds, s.Lo, s.Hi), Label: t.Format(layout)}
		if text := t.Format("2006"); every < 12 && text != last {
			tick.Sub, last = text, text
		}
		list = append(list, tick)
	}
	return list
}

func clamp(v, lo, hi float64) float64 { return min(max(v, lo), hi) }
