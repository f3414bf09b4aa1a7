//go:build !race

package b2test

// Race reports whether the race detector is active. If it is, a sync.Pool drops items
// at random.
const Race = false
