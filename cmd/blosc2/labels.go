package main

import (
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/meta"
)

// userMetadata returns the metadata that the user gave the data, or nil if there are none.
func (v *view) userMetadata() names.Source {
	if v.names != nil {
		return v.names
	}
	return names.OfFrame(v.frame)
}

// label returns the name of the items of type d from the user's metadata, or "".
func (v *view) label(d meta.DType) string { return shown(names.Quantity(v.userMetadata(), d)) }

// dimensions returns the names of the dimensions from the user's metadata, or nil.
func (v *view) dimensions() []string {
	all := names.Dimensions(v.userMetadata(), len(v.shape))
	for i := range all {
		all[i] = shown(all[i])
	}
	return all
}
