package meta

import (
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// These are the limits of metalayers.
const (
	MaxLayers = 16 // metalayers in a header, and vlmetalayers that C-Blosc2 can write
	MaxName   = 31 // bytes in a name
)

// A Layer is a metalayer: a name of at most 31 bytes without NUL, and a value
// of any bytes. The values of vlmetalayers, in the trailer, are compressed as
// chunks.
type Layer struct {
	Name  string
	Value []byte
}

// Check returns a [blosc2.OptionError] if layers cannot be written. There may be at most
// sixteen, each with a valid name that no other has.
func Check(layers []Layer) error {
	if len(layers) > MaxLayers {
		return &blosc2.OptionError{Option: "number of metalayers", Value: len(layers), Range: "0 to 16"}
	}
	for i, l := range layers {
		if l.Name == "" || len(l.Name) > MaxName || strings.Contains(l.Name, "\x00") {
			return &blosc2.OptionError{Option: "metalayer name", Value: l.Name, Range: "1 to 31 bytes without NUL"}
		}
		if _, twice := Find(layers[:i], l.Name); twice {
			return &blosc2.OptionError{Option: "metalayer name", Value: l.Name, Range: "unique"}
		}
	}
	return nil
}

// Find returns the value of the layer with the given name.
func Find(layers []Layer, name string) ([]byte, bool) {
	for _, l := range layers {
		if l.Name == name {
			return l.Value, true
		}
	}
	return nil, false
}

// Set returns layers with the given value for the named layer, which is added at the end
// if it is not there. The original slice is not changed.
func Set(layers []Layer, name string, value []byte) []Layer {
	set := slices.Clone(layers)
	if i := slices.IndexFunc(set, func(l Layer) bool { return l.Name == name }); i >= 0 {
		set[i].Value = value
		return set
	}
	return append(set, Layer{name, value})
}
