package tree

import (
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Node is the value of a key in a store: a group, a table, or a leaf, which
// is a frame of some kind.
type Node struct {
	key   string
	kind  Kind
	f     *frame.Reader
	store *Store   // the members of a group or table
	ref   meta.Map // the reference of a remote array
	size  int64
	depth int
}

// FromFrame returns the node of a frame outside a store.
func FromFrame(f *frame.Reader) *Node { return &Node{kind: KindOf(f), f: f, size: f.FrameLen()} }

// Key returns the node's key in its store. It begins with a slash.
func (n *Node) Key() string { return n.key }

// Kind returns the node's kind.
func (n *Node) Kind() Kind { return n.kind }

// Stored returns the size of a leaf's frame in bytes, or 0 for any other node.
func (n *Node) Stored() int64 { return n.size }

// Frame returns the frame of a leaf. Other nodes return a *blosc2.OptionError.
func (n *Node) Frame() (*frame.Reader, error) {
	if n.f == nil {
		return nil, n.not("a leaf")
	}
	return n.f, nil
}

// not returns the error for a node of another kind.
func (n *Node) not(what string) error {
	return &blosc2.OptionError{Option: "kind of the node " + n.key, Value: n.kind, Range: what}
}

// Array opens an array. Any other kind returns a *blosc2.OptionError, including a
// recipe and a proxy cache, because their values may be undefined: see Proxy.
func (n *Node) Array(opts ...b2nd.Option) (*b2nd.Array, error) {
	if n.kind != KindArray {
		return nil, n.not("array")
	}
	return b2nd.FromFrame(n.f, opts...)
}

// A Tensor describes the array in a plain frame. The bytes are in C order.
type Tensor struct {
	Library string // "numpy", "torch" or "tensorflow"
	Shape   []int64
	DType   string // in NumPy's notation; for torch and tensorflow the type's name
}

// Tensor returns the shape and type of a tensor.
func (n *Node) Tensor() (Tensor, error) {
	if n.kind != KindTensor {
		return Tensor{}, n.not("tensor")
	}
	b, _, err := n.f.VLMeta(tensorVLName)
	if err != nil {
		return Tensor{}, err
	}
	v, err := DecodeValue(b)
	if err != nil {
		return Tensor{}, err
	}
	parts, _ := sequence(v)
	if len(parts) != 3 {
		return Tensor{}, corrupt(blosc2.PartVLMeta, "%s must be three values", tensorVLName)
	}
	library, _ := parts[0].(string)
	t := Tensor{Library: library}
	dims, ok := sequence(parts[1])
	for _, d := range dims {
		n, isInt := d.(int64)
		ok = ok && isInt && n >= 0
		t.Shape = append(t.Shape, n)
	}
	if t.DType, err = dtypeText(parts[2]); err != nil || !ok {
		return Tensor{}, corrupt(blosc2.PartVLMeta, "%s lacks a valid shape or dtype", tensorVLName)
	}
	return t, nil
}

// sequence returns the items of a list or tuple.
func sequence(v any) ([]any, bool) {
	switch v := v.(type) {
	case Tuple:
		return v, true
	case []any:
		return v, true
	}
	return nil, false
}

// dtypeText writes a dtype as NumPy does: a string, or a list of tuples.
func dtypeText(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	list, ok := sequence(v)
	if !ok {
		return "", corrupt(blosc2.PartVLMeta, "dtype is not a string or list")
	}
	var fields []string
	for _, f := range list {
		parts, _ := sequence(f)
		if len(parts) < 2 || len(parts) > 3 {
			return "", corrupt(blosc2.PartVLMeta, "field of a dtype has %d parts; must have 2 or 3", len(parts))
		}
		name, ok := parts[0].(string)
		if !ok || strings.ContainsAny(name, `'\`) {
			return "", corrupt(blosc2.PartVLMeta, "field of a dtype lacks a valid name")
		}
		t, err := dtypeText(parts[1])
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(t, "[") {
			t = "'" + t + "'"
		}
		field := "('" + name + "', " + t
		if len(parts) == 3 {
			shape, err := shapeText(parts[2])
			if err != nil {
				return "", err
			}
			field += ", " + shape
		}
		fields = append(fields, field+")")
	}
	return "[" + strings.Join(fields, ", ") + "]", nil
}

func shapeText(v any) (string, error) {
	dims, ok := sequence(v)
	if !ok {
		dims = []any{v}
	}
	var s strings.Builder
	s.WriteByte('(')
	for _, d := range dims {
		n, ok := d.(int64)
		if !ok || n < 0 {
			return "", corrupt(blosc2.PartVLMeta, "invalid shape of a field in a dtype")
		}
		s.WriteString(meta.Text(must(meta.Encode(nil, n))) + ",")
	}
	return s.String() + ")", nil
}

// must returns b. It ignores the error, because encoding an int64 cannot fail.
func must(b []byte, _ error) []byte { return b }

// Metadata returns the user's metadata: for a group those in the store, for a
// leaf its vlmetalayers without those that python-blosc2 writes for itself.
// Values are those of DecodeValue.
func (n *Node) Metadata() (meta.Map, error) {
	f := n.f
	if n.store != nil {
		m, err := n.store.metadata(n.key)
		if err != nil || m == nil {
			return nil, err
		}
		f = m
	}
	if f == nil {
		return nil, nil
	}
	layers, err := f.VLMetalayers()
	if err != nil {
		return nil, err
	}
	var out meta.Map
	for _, l := range layers {
		if slices.Contains(ownNames, l.Name) || n.kind == KindProxy && strings.HasPrefix(l.Name, "proxy-") {
			continue
		}
		v, err := DecodeValue(l.Value)
		if err != nil {
			return nil, err
		}
		out = append(out, meta.Pair{Key: l.Name, Value: v})
	}
	return out, nil
}

// ownNames holds the vlmetalayers that python-blosc2 writes for itself.
var ownNames = []string{
	"_batch_array_metadata", recipeName, "_b2o_user_vlmeta", "_LazyArray", tensorVLName,
	valuesName, registryName, "dstore_tick", meta.B2NDName,
}
