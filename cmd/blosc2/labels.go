package main

import (
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/meta"
)

// label returns what the numbers are, as their metadata has it, or "".
func (v *view) label(d meta.DType) string { return shown(names.Quantity(v.frame, d)) }

// dimensions returns the names of the dimensions, as the metadata has them, or nil.
func (v *view) dimensions() []string {
	all := names.Dimensions(v.frame, len(v.shape))
	for i := range all {
		all[i] = shown(all[i])
	}
	return all
}
