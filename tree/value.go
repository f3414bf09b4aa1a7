package tree

import (
	"bytes"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Tuple is a Python tuple.
type Tuple []any

// An Embedded is a whole frame within a value: an array, an object array or any
// other kind.
type Embedded struct {
	Bytes []byte
	depth int
}

// A Reference is a value that refers to something else, or a recipe for it: a
// map with a kind and its fields. It is never followed.
type Reference struct {
	Kind   string // "ref", "c2array", "lazyexpr", "lazyudf"
	Fields meta.Map
}

// These are the extension types of python-blosc2.
const (
	extFrame     = 42
	extReference = 43
)

// maxDepth limits the nesting of frames in the values of frames, and of
// references.
const maxDepth = 16

const tupleMark = "__tuple__"

// DecodeValue decodes a msgpack value of python-blosc2. It returns what meta.Decode
// does, with the same limits, except for a list or extension that encodes a Tuple,
// an Embedded or a Reference. A list that begins with the string "__tuple__" cannot
// be distinguished from a tuple.
func DecodeValue(b []byte) (any, error) { return decodeValue(b, 0) }

func decodeValue(b []byte, depth int) (any, error) {
	v, err := meta.Decode(b)
	if err != nil {
		return nil, err
	}
	return typed(v, depth)
}

// typed replaces encodings of the types of this package. meta.Decode has
// bounded the depth of v.
func typed(v any, depth int) (any, error) {
	var err error
	switch v := v.(type) {
	case []any:
		for i := range v {
			if v[i], err = typed(v[i], depth); err != nil {
				return nil, err
			}
		}
		if len(v) > 0 && v[0] == tupleMark {
			return Tuple(v[1:]), nil
		}
	case meta.Map:
		for i := range v {
			if v[i].Key, err = typed(v[i].Key, depth); err != nil {
				return nil, err
			}
			if v[i].Value, err = typed(v[i].Value, depth); err != nil {
				return nil, err
			}
		}
	case meta.Ext:
		return extension(v, depth)
	}
	return v, nil
}

func extension(e meta.Ext, depth int) (any, error) {
	if e.Type != extFrame && e.Type != extReference {
		return e, nil
	}
	if depth >= maxDepth {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "frames or references nested more than %d deep", maxDepth)
	}
	if e.Type == extFrame {
		return Embedded{e.Data, depth + 1}, nil
	}
	v, err := decodeValue(e.Data, depth+1)
	if err != nil {
		return nil, err
	}
	m, ok := v.(meta.Map)
	if !ok {
		return nil, corrupt(blosc2.PartMeta, "reference is not a map")
	}
	kind, _ := text(m, "kind")
	return Reference{kind, m}, nil
}

// EncodeValue appends the msgpack encoding of v, which is a value that DecodeValue
// returns or meta.Encode accepts.
func EncodeValue(dst []byte, v any) ([]byte, error) {
	w, err := untyped(v, 0)
	if err != nil {
		return dst, err
	}
	return meta.Encode(dst, w)
}

func untyped(v any, depth int) (any, error) {
	if depth > 64 { // meta.Encode returns the error
		return v, nil
	}
	list := func(out, in []any) (any, error) {
		for _, v := range in {
			w, err := untyped(v, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, w)
		}
		return out, nil
	}
	switch v := v.(type) {
	case Tuple:
		return list([]any{tupleMark}, v)
	case []any:
		return list([]any{}, v)
	case meta.Map:
		out := meta.Map{}
		for _, p := range v {
			pair, err := list(nil, []any{p.Key, p.Value})
			if err != nil {
				return nil, err
			}
			kv := pair.([]any)
			out = append(out, meta.Pair{Key: kv[0], Value: kv[1]})
		}
		return out, nil
	case Embedded:
		return meta.Ext{Type: extFrame, Data: v.Bytes}, nil
	case Reference:
		b, err := EncodeValue(nil, v.Fields)
		return meta.Ext{Type: extReference, Data: b}, err
	}
	return v, nil
}

// Node returns the frame as a node outside a store.
func (e Embedded) Node(opts ...frame.Option) (*Node, error) {
	f, err := frame.Open(bytes.NewReader(e.Bytes), int64(len(e.Bytes)), opts...)
	if err != nil {
		return nil, err
	}
	n := FromFrame(f)
	n.depth = e.depth
	return n, nil
}

func corrupt(part blosc2.Part, format string, args ...any) error {
	return blosc2.Errorf(part, blosc2.ErrCorrupt, format, args...)
}

// text returns a string of a map.
func text(m meta.Map, key string) (string, bool) {
	v, _ := m.Get(key)
	s, ok := v.(string)
	return s, ok
}

// number returns an integer of a map.
func number(m meta.Map, key string) (int64, bool) {
	v, _ := m.Get(key)
	n, ok := v.(int64)
	return n, ok
}

// layerMap decodes the map in a metalayer.
func layerMap(f *frame.Reader, name string) (meta.Map, error) {
	b, ok := f.Metalayer(name)
	if !ok {
		return nil, corrupt(blosc2.PartMeta, "metalayer %s is missing", name)
	}
	return asMap(b, blosc2.PartMeta, "metalayer "+name)
}

// vlMap decodes the map in a vlmetalayer, or returns nil if there is none.
func vlMap(f *frame.Reader, name string) (meta.Map, error) {
	b, ok, err := f.VLMeta(name)
	if err != nil || !ok {
		return nil, err
	}
	return asMap(b, blosc2.PartVLMeta, "vlmetalayer "+name)
}

// asMap decodes a map. Errors call it what.
func asMap(b []byte, part blosc2.Part, what string) (meta.Map, error) {
	v, err := DecodeValue(b)
	if err != nil {
		return nil, err
	}
	m, ok := v.(meta.Map)
	if !ok {
		return nil, corrupt(part, "%s is not a map", what)
	}
	return m, nil
}
