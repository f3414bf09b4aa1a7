package wire

import "encoding/binary"

const (
	leadFixStr  = 0xa0
	leadArray16 = 0xdc
	leadMap16   = 0xde

	// MaxName is the length of the longest name of a metalayer.
	MaxName = 31
)

// An Entry of an Index is the name of a metalayer and the offset of its value from
// the start of the frame or trailer.
type Entry struct {
	Name   string
	Offset Int32
}

func (e Entry) size() int { return 1 + len(e.Name) + e.Offset.Msgsize() }

// An Index is a map of names to offsets, in the stored order.
type Index []Entry

func (v Index) Msgsize() int {
	n := 3
	for _, e := range v {
		n += e.size()
	}
	return n
}

func (v Index) MarshalMsg(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint16(append(b, leadMap16), uint16(len(v)))
	for _, e := range v {
		if len(e.Name) > MaxName {
			return b, errorAt(nil, "name %q must have at most %d bytes", e.Name, MaxName)
		}
		b = append(append(b, leadFixStr+byte(len(e.Name))), e.Name...)
		b, _ = e.Offset.MarshalMsg(b)
	}
	return b, nil
}

func (v *Index) UnmarshalMsg(b []byte) ([]byte, error) {
	n, rest, err := takeCount(b, leadMap16, 1+Int32(0).Msgsize())
	if err != nil {
		return b, err
	}
	if cap(*v) < n {
		*v = make(Index, n)
	}
	*v = (*v)[:n]
	for i := range *v {
		e := &(*v)[i]
		if len(rest) == 0 || rest[0]&^MaxName != leadFixStr {
			return rest, errorAt(rest, "name %d of %d is missing", i+1, n)
		}
		name, after, err := take(rest, rest[0], int(rest[0]&MaxName))
		if err != nil {
			return rest, err
		}
		e.Name = nameOf(name)
		if rest, err = e.Offset.UnmarshalMsg(after); err != nil {
			return rest, err
		}
	}
	return rest, nil
}

// nameOf returns a name as a string. It does not allocate for the metalayer that
// most frames have.
func nameOf(b []byte) string {
	const stream = "b2stream"
	if string(b) == stream {
		return stream
	}
	return string(b)
}

// A Values is an array of byte strings.
type Values [][]byte

func (v Values) Msgsize() int {
	n := 3
	for _, b := range v {
		n += Bin32(b).Msgsize()
	}
	return n
}

func (v Values) MarshalMsg(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint16(append(b, leadArray16), uint16(len(v)))
	for _, value := range v {
		b, _ = Bin32(value).MarshalMsg(b)
	}
	return b, nil
}

func (v *Values) UnmarshalMsg(b []byte) ([]byte, error) {
	n, rest, err := takeCount(b, leadArray16, Bin32(nil).Msgsize())
	if err != nil {
		return b, err
	}
	if cap(*v) < n {
		*v = make(Values, n)
	}
	*v = (*v)[:n]
	for i := range *v {
		if rest, err = (*Bin32)(&(*v)[i]).UnmarshalMsg(rest); err != nil {
			return rest, err
		}
	}
	return rest, nil
}

// takeCount cuts a lead byte and a 16-bit count off b. It returns an error if so many
// elements, of at least size bytes each, exceed the rest.
func takeCount(b []byte, lead byte, size int) (n int, rest []byte, err error) {
	var count Uint16
	if rest, err = count.unmarshal(b, lead); err != nil {
		return 0, b, err
	}
	if n = int(count); n > len(rest)/size {
		return 0, b, errorAt(b, "%d entries do not fit into %d bytes", n, len(rest))
	}
	return n, rest, nil
}
