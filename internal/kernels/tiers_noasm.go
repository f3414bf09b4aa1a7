//go:build purego || !(amd64 || arm64)

package kernels

var available = []Tier{None}
