package meta

import (
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// A Place says whether a section of layers is in a header or in a trailer. Their
// offsets and sizes differ slightly.
type Place uint8

// These are the two places of a section.
const (
	InHeader  Place = iota // metalayers: offsets count from the frame's start
	InTrailer              // vlmetalayers: offsets count from the trailer's start
)

func (p Place) part() blosc2.Part {
	if p == InTrailer {
		return blosc2.PartVLMeta
	}
	return blosc2.PartMeta
}

// maxRead is the number of layers that C-Blosc2 accepts.
func (p Place) maxRead() int {
	if p == InTrailer {
		return 8192
	}
	return MaxLayers
}

// indexBase is the stated size of an index without entries. In the trailer it
// does not count the section's first byte.
func (p Place) indexBase() int {
	if p == InTrailer {
		return 6
	}
	return 7
}

// These are sizes in bytes: of a section without layers, of an entry of its index without
// the name, and of a value without its contents.
const (
	emptySection = 10
	entryHead    = 6
	valueHead    = 5
)

// few is the largest number of layers that are encoded or decoded without allocating.
const few = 4

// A Section is the encoding of layers: their names with the offsets of their
// values, then the values. It is a msgpack value in a header or trailer.
type Section struct {
	Layers []Layer
	Place  Place
	At     int // number of bytes before the section in the header or trailer
}

// Msgsize returns the length in bytes of the section.
func (s Section) Msgsize() int {
	n := emptySection
	for _, l := range s.Layers {
		n += entryHead + len(l.Name) + valueHead + len(l.Value)
	}
	return n
}

// MarshalMsg appends the section. Its errors are those of [Check].
func (s Section) MarshalMsg(dst []byte) ([]byte, error) {
	if err := Check(s.Layers); err != nil {
		return dst, err
	}
	if n := int64(s.At) + int64(s.Msgsize()); n > math.MaxInt32 {
		return dst, &blosc2.OptionError{Option: "bytes of metalayers", Value: n, Range: "less than 2 GiB"}
	}
	var fewNames [few]wire.Entry
	var fewValues [few][]byte
	w := wire.Section{Index: fewNames[:0], Values: fewValues[:0]}
	index := 0
	for _, l := range s.Layers {
		index += entryHead + len(l.Name)
	}
	w.IndexLen = wire.Uint16(s.Place.indexBase() + index)
	next := s.At + emptySection + index
	for _, l := range s.Layers {
		w.Index = append(w.Index, wire.Entry{Name: l.Name, Offset: wire.Int32(next)})
		w.Values = append(w.Values, l.Value)
		next += valueHead + len(l.Value)
	}
	return w.MarshalMsg(dst)
}

// UnmarshalMsg reads the section at the start of b and returns the bytes after
// it. Place and At must be set, and b must end with the header or trailer.
// Values are found by the offsets, as C-Blosc2 finds them. Errors are a
// [blosc2.FormatError], with the offset in the header or trailer. The values
// alias b, and the memory of Layers is reused.
func (s *Section) UnmarshalMsg(b []byte) ([]byte, error) {
	part := s.Place.part()
	var fewNames [few]wire.Entry
	var fewValues [few][]byte
	w := wire.Section{Index: fewNames[:0], Values: fewValues[:0]}
	rest, err := w.UnmarshalMsg(b)
	if err != nil {
		return b, wire.Corrupt(part, s.At, len(b), err)
	}
	if len(w.Index) != len(w.Values) || len(w.Index) > s.Place.maxRead() {
		return b, corrupt(part, s.At, "%d names and %d values; must be equal and at most %d", len(w.Index), len(w.Values), s.Place.maxRead())
	}
	n := len(w.Index)
	s.Layers = slices.Grow(s.Layers[:0], n)[:n:n]
	for i, e := range w.Index {
		at := int(e.Offset) - s.At
		if at < 0 || at > len(b) {
			return b, corrupt(part, s.At, "offset of %q is %d, outside its section", e.Name, e.Offset)
		}
		var value wire.Bin32
		if _, err := value.UnmarshalMsg(b[at:]); err != nil {
			return b, wire.Corrupt(part, s.At, len(b), err)
		}
		s.Layers[i] = Layer{e.Name, value}
	}
	return rest, nil
}

func corrupt(part blosc2.Part, offset int, format string, args ...any) error {
	e := blosc2.Errorf(part, blosc2.ErrCorrupt, format, args...)
	e.Offset = int64(offset)
	return e
}
