package items

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/meta"
)

func (n *node) structOf(rt reflect.Type, depth int, align bool) error {
	n.dtype = meta.DType{Kind: meta.Struct, Order: '|'}
	b := builder{n: n, align: align}
	if err := b.add(rt, 0, depth); err != nil {
		return err
	}
	if len(n.fields) == 0 {
		return refuse(n.name, rt, "a struct with fields")
	}
	n.dtype.Size = b.round(b.end, b.most)
	return nil
}

// A builder adds the fields of a struct, and of embedded structs, to a node.
type builder struct {
	n     *node
	align bool // fields are aligned as in C, also in nested structs
	end   int  // end of the last field in the item
	most  int  // largest alignment of a field
}

func (b *builder) round(at, to int) int {
	if !b.align || to < 2 {
		return at
	}
	return (at + to - 1) / to * to
}

func (b *builder) add(rt reflect.Type, base, depth int) error {
	for f := range rt.Fields() {
		if f.Name == "_" && f.Tag.Get(TagKey) == ",align" {
			b.align = true
		}
	}
	for f := range rt.Fields() {
		name, dtype, _ := strings.Cut(f.Tag.Get(TagKey), ",")
		where := b.n.name + "." + f.Name
		switch {
		case name == "-" && dtype == "":
			continue
		case f.Name == "_":
			if !b.align { // otherwise the padding follows from the alignment
				b.end += int(f.Type.Size())
			}
			continue
		case f.Anonymous && f.Type.Kind() == reflect.Struct && name == "":
			if depth > maxDepth {
				return refuse(where, f.Type, "nested at most 32 levels deep")
			}
			if err := b.add(f.Type, base+int(f.Offset), depth+1); err != nil {
				return err
			}
			continue
		case !f.IsExported():
			return refuse(where, f.Type, `exported, named _ if it is padding, or excluded by the tag blosc2:"-"`)
		case name == "":
			name = f.Name
		}
		c, err := nodeOf(f.Type, where, depth+1, b.align)
		if err == nil && dtype != "" {
			err = c.as(f.Type, dtype)
		}
		if err != nil {
			return err
		}
		if slices.ContainsFunc(b.n.fields, func(f part) bool { return f.name == name }) {
			return refuse(where, name, "different from the names of earlier fields")
		}
		b.n.fields = append(b.n.fields, part{name, base + int(f.Offset), c})
		field := meta.Field{Name: name, Type: c.dtype}
		if !c.raw {
			field.Shape = c.shape
		}
		align := c.dtype.Alignment()
		field.Offset = b.round(b.end, align)
		b.end, b.most = field.Offset+field.Len(), max(b.most, align)
		b.n.dtype.Fields = append(b.n.dtype.Fields, field)
	}
	return nil
}

// TagKey is the key of the tags that name fields: `blosc2:"name"`, or
// `blosc2:"name,dtype"`.
const TagKey = "blosc2"

// as makes the items of the node those of the type that a tag names.
func (n *node) as(rt reflect.Type, dtype string) error {
	d, err := meta.ParseDType(dtype)
	if err != nil {
		return refuse(n.name, dtype, "a valid NumPy dtype")
	}
	at := n
	if n.elem != nil {
		if k := len(n.shape) - 1; whole(n.elem, n.shape[k], d) {
			n.raw, n.leaf, n.dtype, n.tagged = k == 0, d, d, true
			if k > 0 { // an array of strings
				n.elem = &node{name: n.name, size: n.elem.size * n.shape[k], raw: true, leaf: d, dtype: d, tagged: true}
				n.shape = n.shape[:k:k]
			}
			return nil
		}
		at = n.elem
	}
	half := at.leaf.Kind == meta.Uint && d.Kind == meta.Float && d.Size == at.size && d.Size == 2
	if at.leaf.Kind == 0 || !at.holds(d) && !half {
		return refuse(n.name, rt, fmt.Sprintf("of a type that holds %s, the type in its tag", d))
	}
	at.leaf, at.dtype, at.tagged = d, d, true
	n.dtype = d
	return nil
}

// whole reports whether an array of count elements is a single item of type d:
// a string or plain bytes.
func whole(elem *node, count int, d meta.DType) bool {
	switch d.Kind {
	case meta.Bytes, meta.Void:
		return elem.leaf.Kind == meta.Uint && elem.size == 1 && count == d.Size
	case meta.Unicode:
		return (elem.leaf.Kind == meta.Int || elem.leaf.Kind == meta.Uint) && elem.size == 4 && count == d.Size/4
	}
	return false
}
