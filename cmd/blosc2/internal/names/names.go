// Package names reads the names of an array's values and dimensions from its metadata.
package names

import (
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Source holds the metadata of an array: the vlmetalayers of a frame, or the
// attributes of a Zarr array.
type Source interface {
	VLMetaValue(name string) (v any, ok bool, err error)
}

// OfFrame returns the vlmetalayers of a frame as a Source, nil for nil.
func OfFrame(f *frame.Reader) Source {
	if f == nil {
		return nil
	}
	return f
}

// OfZarr returns the attributes of a Zarr array as a Source.
func OfZarr(m *zarr.Metadata) Source {
	v, _ := meta.ParseJSON(m.Attributes)
	all, _ := v.(meta.Map)
	return attributes{all, m.Dimensions}
}

type attributes struct {
	meta.Map
	dims []string
}

// VLMetaValue implements Source.
func (a attributes) VLMetaValue(name string) (v any, ok bool, err error) {
	if v, ok = a.Get(name); !ok && name == dimensions && a.dims != nil {
		var list []any
		for _, d := range a.dims {
			list = append(list, d)
		}
		return list, true, nil
	}
	return v, ok, nil
}

// dimensions is the key under which xarray stores the names of the dimensions.
const dimensions = "_ARRAY_DIMENSIONS"

// Quantity returns a name for the numbers of type d, from long_name and units (as in
// the CF conventions), or "". f may be nil.
func Quantity(f Source, d meta.DType) string {
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

// text returns the first value among some keys that is text, or "".
func text(f Source, names ...string) string {
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

// Dimensions returns the names of the n dimensions of an array, from the metadata that
// xarray and other programs write. It returns nil if there are none. f may be nil.
func Dimensions(f Source, n int) []string {
	if f == nil {
		return nil
	}
	for _, name := range []string{dimensions, "dims"} {
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
