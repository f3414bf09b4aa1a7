package main

import (
	"github.com/seed03b80dae/blosc2/meta"
)

// dtype returns the type of the items that the file stores, or "".
func (t *target) dtype() string {
	if t.frame == nil {
		return ""
	}
	return dtypeOf(t.frame)
}

// dtypeOf returns the type of a frame's items from its metalayer, or "".
func dtypeOf(f interface{ Metalayer(string) ([]byte, bool) }) string {
	value, ok := f.Metalayer(meta.DTypeName)
	return dtypeText(value, ok)
}
