package meta

import (
	"math"

	"github.com/tinylib/msgp/msgp"

	"github.com/seed03b80dae/blosc2"
)

// A Map is a msgpack map, in its encoded order.
type Map []Pair

// A Pair is an entry of a [Map].
type Pair struct{ Key, Value any }

// Get returns the value of the string key.
func (m Map) Get(key string) (any, bool) {
	for _, p := range m {
		if p.Key == key {
			return p.Value, true
		}
	}
	return nil, false
}

// An Ext is a msgpack extension. Python-Blosc2 uses type 42 for a frame in a
// frame and 43 for a structured reference.
type Ext struct {
	Type int8
	Data []byte
}

const (
	maxNesting = 64      // depth of nested values
	maxValues  = 1 << 22 // number of values, nested ones included
)

// Decode decodes one msgpack value, which must be all of b: metalayers are, by
// convention, msgpack, and python-blosc2 requires it. It returns nil, a bool,
// int64 (uint64 beyond its range), float32, float64, string, []byte, []any,
// [Map], [time.Time] in UTC for a timestamp, or [Ext]. A tuple of Python is a
// list that begins with the string "__tuple__".
//
// Values nested more than 64 deep result in blosc2.ErrCorrupt; more than 4,194,304
// values result in blosc2.ErrTooLarge.
func Decode(b []byte) (any, error) {
	d := decoder{all: b, left: maxValues}
	v, rest, err := d.value(b, 0)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, d.corrupt(rest, "%d bytes after the value", len(rest))
	}
	return v, nil
}

// A decoder reads values from all, the whole input. Errors need it to compute offsets.
type decoder struct {
	all  []byte
	left int // number of values that may still be read
}

func (d *decoder) corrupt(rest []byte, format string, args ...any) error {
	return corrupt(blosc2.PartMeta, len(d.all)-len(rest), format, args...)
}

func (d *decoder) value(b []byte, depth int) (v any, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, d.corrupt(b, "ends before a value")
	}
	if depth > maxNesting {
		return nil, nil, d.corrupt(b, "values nested more than %d deep", maxNesting)
	}
	if d.left--; d.left < 0 {
		return nil, nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "more than %d values", maxValues)
	}
	switch t := msgp.NextType(b); t {
	case msgp.NilType:
		rest, err = msgp.ReadNilBytes(b)
	case msgp.BoolType:
		v, rest, err = msgp.ReadBoolBytes(b)
	case msgp.IntType:
		v, rest, err = msgp.ReadInt64Bytes(b)
	case msgp.UintType:
		var u uint64
		u, rest, err = msgp.ReadUint64Bytes(b)
		if v = u; u <= math.MaxInt64 {
			v = int64(u)
		}
	case msgp.Float32Type:
		v, rest, err = msgp.ReadFloat32Bytes(b)
	case msgp.Float64Type:
		v, rest, err = msgp.ReadFloat64Bytes(b)
	case msgp.ArrayType:
		return d.array(b, depth)
	case msgp.MapType:
		return d.pairs(b, depth)
	default:
		return d.sized(b)
	}
	if err != nil {
		return nil, nil, d.corrupt(b, "%v", err)
	}
	return v, rest, nil
}

func (d *decoder) array(b []byte, depth int) (any, []byte, error) {
	n, rest, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil || int64(n) > int64(len(rest)) {
		return nil, nil, d.corrupt(b, "array of %d values does not fit into %d bytes", n, len(rest))
	}
	list := []any{} // grows as values are read; n may be wrong
	for range n {
		var v any
		if v, rest, err = d.value(rest, depth+1); err != nil {
			return nil, nil, err
		}
		list = append(list, v)
	}
	return list, rest, nil
}

func (d *decoder) pairs(b []byte, depth int) (any, []byte, error) {
	n, rest, err := msgp.ReadMapHeaderBytes(b)
	if err != nil || 2*int64(n) > int64(len(rest)) {
		return nil, nil, d.corrupt(b, "map of %d pairs does not fit into %d bytes", n, len(rest))
	}
	m := Map{}
	for range n {
		var p Pair
		if p.Key, rest, err = d.value(rest, depth+1); err != nil {
			return nil, nil, err
		}
		if p.Value, rest, err = d.value(rest, depth+1); err != nil {
			return nil, nil, err
		}
		m = append(m, p)
	}
	return m, rest, nil
}

// sized reads a value with a size in bytes: a string, a byte string or an
// extension. It checks the length itself, because msgp treats the largest as
// negative if an int has 32 bits, and reserves some extensions.
func (d *decoder) sized(b []byte) (any, []byte, error) {
	lead := b[0]
	head, digits, n := 1, 0, uint64(0)
	switch {
	case lead >= 0xa0 && lead <= 0xbf: // a short string
		n = uint64(lead & 0x1f)
	case lead >= 0xc4 && lead <= 0xc6: // bytes
		digits = 1 << (lead - 0xc4)
	case lead >= 0xc7 && lead <= 0xc9: // an extension, with its type after the length
		head, digits = 2, 1<<(lead-0xc7)
	case lead >= 0xd4 && lead <= 0xd8: // an extension of a fixed length
		head, n = 2, 1<<(lead-0xd4)
	case lead >= 0xd9 && lead <= 0xdb: // a string
		digits = 1 << (lead - 0xd9)
	default:
		return nil, nil, d.corrupt(b, "not a value: begins with byte %#02x", lead)
	}
	head += digits
	if len(b) < head {
		return nil, nil, d.corrupt(b, "truncated value: %d of %d bytes", len(b), head)
	}
	for _, digit := range b[1 : 1+digits] {
		n = n<<8 | uint64(digit)
	}
	if n > uint64(len(b)-head) {
		return nil, nil, d.corrupt(b, "truncated value: %d of %d bytes", len(b)-head, n)
	}
	end := head + int(n)
	data, rest := b[head:end], b[end:]
	switch msgp.NextType(b) {
	case msgp.StrType:
		return string(data), rest, nil
	case msgp.BinType:
		return data, rest, nil
	}
	e := Ext{int8(b[head-1]), data}
	if t, ok := e.timestamp(); ok {
		return t, rest, nil
	}
	return e, rest, nil
}
