package frame

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// validNames returns the layers with names that can be written, and adds each name that it
// changed to the result of the repair. lost reports whether there were more layers than a
// frame can have.
func (r *repairer) validNames(layers []meta.Layer) (valid []meta.Layer, lost bool) {
	if meta.Check(layers) == nil {
		return layers, false
	}
	if lost = len(layers) > meta.MaxLayers; lost {
		layers = layers[:meta.MaxLayers]
	}
	taken := func(name string) bool {
		_, before := meta.Find(valid, name)
		return before || slices.ContainsFunc(layers[len(valid):], func(l meta.Layer) bool { return l.Name == name })
	}
	for _, l := range layers {
		_, twice := meta.Find(valid, l.Name)
		if twice || meta.Check([]meta.Layer{l}) != nil {
			base := strings.ReplaceAll(l.Name, "\x00", "_")
			for n := 1; ; n++ {
				suffix := "_" + strconv.Itoa(n)
				if l.Name = base[:min(len(base), meta.MaxName-len(suffix))] + suffix; !taken(l.Name) {
					break
				}
			}
			r.rep.Renamed = append(r.rep.Renamed, l.Name)
		}
		valid = append(valid, l)
	}
	return valid, lost
}

// checkVLMeta adds the vlmetalayers that cannot be decoded to the result of the repair. Those
// that are larger than the limits are not decoded.
func (r *repairer) checkVLMeta() {
	for _, l := range r.vlmeta {
		if _, err := decodeVLMeta([]meta.Layer{l}, r.o.limits); err != nil && !errors.Is(err, blosc2.ErrTooLarge) {
			r.rep.Corrupt = append(r.rep.Corrupt, l.Name)
		}
	}
}
