//go:build !purego

package kernels

// Every arm64 processor that Go runs on has NEON.
var available = []Tier{None, NEON}
