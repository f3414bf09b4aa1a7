package main

import (
	"math"
	"slices"
	"testing"
	"time"
)

// A result is the result of one contestant for one dataset.
type result struct {
	Section   string // "chunk" or "stream"
	Data      string
	Name      string // name of the contestant
	Setting   string
	Workers   int
	Bytes     int // size before compression
	Stored    int // size after compression
	Compress  []float64
	Expand    []float64 // seconds of each run, one for each round
	AllocsC   float64   // number of heap allocations per run
	AllocsD   float64
	Real      bool
	Reference bool // the others are compared with this one
}

func (r *result) ratio() float64 { return float64(r.Bytes) / float64(max(r.Stored, 1)) }

// mbps returns the median speed in 10^6 bytes of payload per second.
func (r *result) mbps(seconds []float64) float64 {
	m := median(seconds)
	if m <= 0 {
		return math.NaN()
	}
	return float64(r.Bytes) / 1e6 / m
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// paired returns the median of theirs[i]/ours[i], that is, how many times faster ours
// is. Runs with the same index were made one right after the other.
func paired(ours, theirs []float64) float64 {
	n := min(len(ours), len(theirs))
	v := make([]float64, n)
	for i := range v {
		v[i] = theirs[i] / ours[i]
	}
	return median(v)
}

func geomean(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(v)))
}

// timed returns the least time of reps runs of f, repeated within a run until it
// lasts long enough to be measured.
func timed(reps int, f func() error) (float64, error) {
	best := math.Inf(1)
	for range reps {
		n := 1
		for {
			start := time.Now()
			for range n {
				if err := f(); err != nil {
					return 0, err
				}
			}
			d := time.Since(start)
			if d >= 2*time.Millisecond || n >= 1<<16 {
				best = min(best, d.Seconds()/float64(n))
				break
			}
			n *= 2
		}
	}
	return best, nil
}

// enough returns how often f must run, at least reps times, to take 20 ms. A processor that
// waited before is slow for some milliseconds: in alternating runs of two milliseconds,
// whoever runs after the other's process is a quarter slower.
func enough(reps int, f func() error) (int, error) {
	t, err := timed(1, f)
	return max(reps, int(math.Ceil(0.02/t))), err
}

// allocs counts the heap allocations of one run of f.
func allocs(f func() error) float64 {
	return testing.AllocsPerRun(3, func() { _ = f() })
}
