//go:build race

package filter_test

// raceEnabled reports whether the race detector is at work, under which a
// sync.Pool loses things.
const raceEnabled = true
