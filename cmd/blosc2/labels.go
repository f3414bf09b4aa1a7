package main

import (
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/meta"
)

// said returns the metadata, nil if there are none.
func (v *view) said() names.Source {
	if v.names != nil {
		return v.names
	}
	return names.OfFrame(v.frame)
}

// label returns what the numbers are, as their metadata has it, or "".
func (v *view) label(d meta.DType) string { return shown(names.Quantity(v.said(), d)) }

// dimensions returns the names of the dimensions, as the metadata has them, or nil.
func (v *view) dimensions() []string {
	all := names.Dimensions(v.said(), len(v.shape))
	for i := range all {
		all[i] = shown(all[i])
	}
	return all
}
