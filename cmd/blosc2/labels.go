package main

import (
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/meta"
)

// said returns the user's metadata, or nil if there are none.
func (v *view) said() names.Source {
	if v.names != nil {
		return v.names
	}
	return names.OfFrame(v.frame)
}

// label returns the name of the numbers in their metadata, or "".
func (v *view) label(d meta.DType) string { return shown(names.Quantity(v.said(), d)) }

// dimensions returns the names of the dimensions in the metadata, or nil.
func (v *view) dimensions() []string {
	all := names.Dimensions(v.said(), len(v.shape))
	for i := range all {
		all[i] = shown(all[i])
	}
	return all
}
