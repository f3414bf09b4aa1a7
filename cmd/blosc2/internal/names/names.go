// Package names reads what the metadata of a frame calls its values and its
// dimensions.
package names

import (
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// Quantity returns what the numbers of type d in a frame are, from the vlmetalayers
// long_name and units (as in the CF conventions), or "". f may be nil.
func Quantity(f *frame.Reader, d meta.DType) string {
	name, unit := text(f, "long_name", "standard_name", "label"), text(f, "units", "unit")
	if unit == "" && d.Kind == meta.TimeDelta {
		unit = d.Unit
	}
	if d.Kind == meta.Complex {
		if name != "" {
			name = " of " + name
		}
		name = "magnitude" + name
	}
	switch {
	case name == "":
		return unit
	case unit != "":
		return name + " (" + unit + ")"
	}
	return name
}

// text returns the text of the first vlmetalayer of some names, or "".
func text(f *frame.Reader, names ...string) string {
	if f == nil {
		return ""
	}
	for _, name := range names {
		value, ok, err := f.VLMetaValue(name)
		if s, isText := value.(string); ok && err == nil && isText && s != "" {
			return s
		}
	}
	return ""
}

// Dimensions returns the names of the n dimensions of an array, from the
// vlmetalayers that xarray and others use, or nil. f may be nil.
func Dimensions(f *frame.Reader, n int) []string {
	if f == nil {
		return nil
	}
	for _, name := range []string{"_ARRAY_DIMENSIONS", "dims"} {
		value, ok, err := f.VLMetaValue(name)
		list, isList := value.([]any)
		if !ok || err != nil || !isList || len(list) != n {
			continue
		}
		all := make([]string, len(list))
		for i, item := range list {
			all[i], _ = item.(string)
		}
		return all
	}
	return nil
}
