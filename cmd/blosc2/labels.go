package main

import (
	"github.com/seed03b80dae/blosc2/meta"
)

// label returns what the numbers are, from the vlmetalayers long_name and units
// (as in the CF conventions), or "".
func (v *view) label(d meta.DType) string {
	name, unit := v.note("long_name", "standard_name", "label"), v.note("units", "unit")
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

// note returns the text of the first vlmetalayer of some names, or "".
func (v *view) note(names ...string) string {
	if v.frame == nil {
		return ""
	}
	for _, name := range names {
		value, ok, err := v.frame.VLMetaValue(name)
		if text, isText := value.(string); ok && err == nil && isText && text != "" {
			return shown(text)
		}
	}
	return ""
}

// dimensions returns the names of the dimensions, from the vlmetalayer
// _ARRAY_DIMENSIONS (as in Zarr) or dims, or nil.
func (v *view) dimensions() []string {
	if v.frame == nil {
		return nil
	}
	for _, name := range []string{"_ARRAY_DIMENSIONS", "dims"} {
		value, ok, err := v.frame.VLMetaValue(name)
		list, isList := value.([]any)
		if !ok || err != nil || !isList || len(list) != len(v.shape) {
			continue
		}
		names := make([]string, len(list))
		for i, item := range list {
			if text, ok := item.(string); ok {
				names[i] = shown(text)
			}
		}
		return names
	}
	return nil
}
