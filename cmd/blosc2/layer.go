package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2/meta"
)

// A layer is a metalayer: its content in hexadecimal, and its value if it is
// msgpack, as python-blosc2 writes it.
type layer struct {
	Name    string          `json:"name"`
	Content string          `json:"content"`
	Value   json.RawMessage `json:"value,omitempty"`

	raw []byte
}

func layers(from []meta.Layer) []layer {
	all := []layer{}
	for _, l := range from {
		l = hideToken(l)
		is := layer{Name: l.Name, Content: hex.EncodeToString(l.Value), raw: l.Value}
		if v, err := meta.Decode(l.Value); err == nil && !slices.Contains(ownLayers, l.Name) {
			if text, err := meta.JSON(v); err == nil {
				is.Value = text
			}
		}
		all = append(all, is)
	}
	return all
}

// fieldsOf returns the fields of a metalayer, if there is one of that name that holds
// a map.
func fieldsOf(layers []meta.Layer, name string) (meta.Map, bool) {
	value, ok := meta.Find(layers, name)
	if !ok {
		return nil, false
	}
	v, err := meta.Decode(value)
	fields, isMap := v.(meta.Map)
	return fields, err == nil && isMap
}

// ownLayers are metalayers that info describes in other fields.
var ownLayers = []string{meta.B2NDName, meta.CatervaName, meta.StreamName}

// maxValueWidth is the most characters of a value that String prints.
const maxValueWidth = 60

// String formats the layer.
func (l layer) String() string {
	s := fmt.Sprintf("%s, %s", l.Name, count(int64(len(l.raw)), "byte"))
	switch {
	case slices.Contains(ownLayers, l.Name):
		return s
	case l.Value != nil:
		return s + ": " + abridge(meta.Text(l.raw))
	}
	return s + ", not msgpack: " + abridge(l.Content)
}

// abridge cuts a text that is longer than widest.
func abridge(s string) string {
	if r := []rune(s); len(r) > maxValueWidth {
		return string(r[:maxValueWidth-1]) + "…"
	}
	return s
}
