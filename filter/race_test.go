//go:build race

package filter_test

// raceEnabled reports whether the race detector is active, with which a sync.Pool
// drops items at random.
const raceEnabled = true
