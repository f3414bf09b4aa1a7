package meta

import (
	"math"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// A Place says where a section of layers stands, in a header or in a trailer.
// The two count a little differently.
type Place uint8

// The two places of a section.
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

// maxRead is the number of layers that C-Blosc2 takes.
func (p Place) maxRead() int {
	if p == InTrailer {
		return 8192
	}
	return MaxLayers
}

// indexBase is the size of an index without entries, which the section states:
// the trailer's leaves out the byte that the section begins with.
func (p Place) indexBase() int {
	if p == InTrailer {
		return 6
	}
	return 7
}

// The bytes of a section without layers, and of an entry of its index and a
// value without their contents.
const (
	emptySection = 10
	entryHead    = 6
	valueHead    = 5
)

// SectionLen is the length in bytes of the section that holds layers.
func SectionLen(layers []Layer) int {
	n := emptySection
	for _, l := range layers {
		n += entryHead + len(l.Name) + valueHead + len(l.Value)
	}
	return n
}

// Pack makes the section that holds layers, to stand behind at bytes of a
// header or trailer. It refuses layers that the format has no room for, with
// an [blosc2.OptionError].
func Pack(layers []Layer, place Place, at int) (*wire.Section, error) {
	if err := check(layers); err != nil {
		return nil, err
	}
	if n := int64(at) + int64(SectionLen(layers)); n > math.MaxInt32 {
		return nil, &blosc2.OptionError{Option: "bytes of metalayers", Value: n, Range: "less than 2 GiB"}
	}
	s := &wire.Section{Index: make(wire.Index, len(layers)), Values: make(wire.Values, len(layers))}
	index := 0
	for _, l := range layers {
		index += entryHead + len(l.Name)
	}
	s.IndexLen = wire.Uint16(place.indexBase() + index)
	next := at + emptySection + index
	for i, l := range layers {
		s.Index[i] = wire.Entry{Name: l.Name, Offset: wire.Int32(next)}
		s.Values[i] = l.Value
		next += valueHead + len(l.Value)
	}
	return s, nil
}

// check tells whether layers can be written.
func check(layers []Layer) error {
	if len(layers) > MaxLayers {
		return &blosc2.OptionError{Option: "number of metalayers", Value: len(layers), Range: "0 to 16"}
	}
	for i, l := range layers {
		if l.Name == "" || len(l.Name) > MaxName || strings.Contains(l.Name, "\x00") {
			return &blosc2.OptionError{Option: "metalayer name", Value: l.Name, Range: "1 to 31 bytes without NUL"}
		}
		if _, twice := Find(layers[:i], l.Name); twice {
			return &blosc2.OptionError{Option: "metalayer name", Value: l.Name, Range: "another than those before it"}
		}
	}
	return nil
}

// Unpack returns the layers of a section that was read at byte at of b, a whole
// header or trailer. Values are found by the offsets, as C-Blosc2 finds them.
func Unpack(s *wire.Section, b []byte, place Place, at int) ([]Layer, error) {
	if len(s.Index) != len(s.Values) || len(s.Index) > place.maxRead() {
		return nil, corrupt(place.part(), at, "%d names for %d values, at most %d", len(s.Index), len(s.Values), place.maxRead())
	}
	layers := make([]Layer, len(s.Index))
	for i, e := range s.Index {
		if e.Offset < 0 || int(e.Offset) > len(b) {
			return nil, corrupt(place.part(), at, "%q is said to stand at %d, in %d bytes", e.Name, e.Offset, len(b))
		}
		var value wire.Bin32
		if _, err := value.UnmarshalMsg(b[e.Offset:]); err != nil {
			return nil, wire.Corrupt(place.part(), len(b), err)
		}
		layers[i] = Layer{e.Name, value}
	}
	return layers, nil
}

func corrupt(part blosc2.Part, offset int, format string, args ...any) error {
	e := blosc2.Errorf(part, blosc2.ErrCorrupt, format, args...)
	e.Offset = int64(offset)
	return e
}
