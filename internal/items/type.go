package items

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Type is a Go type with values that are items: a number, a boolean, an array of
// bytes, or a struct of fields of these types or of arrays of them.
type Type struct {
	dtype meta.DType
	text  string
	own   error // the reason why the type has no dtype
	name  string
	root  *node
	last  [2]atomic.Pointer[planned] // the plans last used, to read and to write
}

// A node describes a Go type or a part of it.
type node struct {
	name   string // name of the type, or path of the field, for errors
	size   int    // bytes in memory
	leaf   meta.DType
	tagged bool   // a tag sets the type of leaf, which must match exactly
	raw    bool   // an array of bytes that a tag or a dtype treats as one item
	bool   bool   // only 0 and 1 are valid
	elem   *node  // element of an array
	shape  []int  // all dimensions of an array
	fields []part // fields of a struct
	dtype  meta.DType
}

// A part is a field of a struct.
type part struct {
	name string
	at   int // offset in memory
	*node
}

type found struct {
	t   *Type
	err error
}

var types sync.Map // maps a reflect.Type to a found

// Of returns the description of T. A type with values that are not items results in
// a *blosc2.OptionError.
func Of[T any]() (*Type, error) { return of(reflect.TypeFor[T]()) }

func of(rt reflect.Type) (*Type, error) {
	if f, ok := types.Load(rt); ok {
		return f.(found).t, f.(found).err
	}
	t, err := newType(rt)
	types.Store(rt, found{t, err})
	return t, err
}

func newType(rt reflect.Type) (*Type, error) {
	name := rt.String()
	if len(name) > 64 { // the name of an unnamed struct is its whole text
		name = name[:64] + "…"
	}
	root, err := nodeOf(rt, name, 0, false)
	if err != nil {
		return nil, err
	}
	if root.shape != nil && !root.raw {
		item := rt
		for item.Kind() == reflect.Array {
			item = item.Elem()
		}
		err := refuse(name, rt, "a number, a bool, a [N]byte or a struct: the items of arrays are written one after the other, as a []"+item.String())
		if k := root.elem.leaf.Kind; len(root.shape) == 1 && root.elem.size == 4 && (k == meta.Int || k == meta.Uint) {
			return &Type{name: name, root: root, own: err}, nil // the array holds characters if a dtype says so
		}
		return nil, err
	}
	t := &Type{dtype: root.dtype, text: root.dtype.String(), name: name, root: root}
	if again, err := meta.ParseDType(t.text); err != nil || again.String() != t.text {
		return nil, refuse(name, rt, "a struct with at most 1024 fields, nested only a few levels deep")
	}
	return t, nil
}

// DType returns the default type of items, and its NumPy notation: little-endian,
// fields one after the other unless the struct asks for alignment. A [N]rune has none,
// because it is an item of type <UN only if a dtype says so: for it the error is a
// *blosc2.OptionError.
func (t *Type) DType() (d meta.DType, text string, err error) { return t.dtype, t.text, t.own }

// String returns the name of the type and its dtype.
func (t *Type) String() string {
	if t.own != nil {
		return t.name
	}
	return t.name + " (" + t.text + ")"
}

func refuse(name string, got any, want string) error {
	if fmt.Sprint(got) == name {
		return &blosc2.OptionError{Option: "item type", Value: got, Range: want}
	}
	return &blosc2.OptionError{Option: "item type " + name, Value: got, Range: want}
}

const wantField = "an integer or float of a fixed size, a complex number, a bool, a struct, or an array of these"

// maxDepth limits the nesting of types.
const maxDepth = 32

func nodeOf(rt reflect.Type, name string, depth int, align bool) (*node, error) {
	n := &node{name: name, size: int(rt.Size())}
	if depth > maxDepth || rt.Size() > 1<<31-1 {
		return nil, refuse(name, rt, "smaller than 2 GiB and nested at most 32 levels deep")
	}
	switch k := rt.Kind(); k {
	case reflect.Bool:
		n.bool = true
		n.leaf = meta.DType{Kind: meta.Bool, Order: '|', Size: 1}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		n.leaf = numberOf(k, n.size)
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return nil, refuse(name, rt, "of a size that is the same on every machine, such as int64 or uint64")
	case reflect.Array:
		return n, n.array(rt, depth, align)
	case reflect.Struct:
		return n, n.structOf(rt, depth, align)
	default:
		return nil, refuse(name, rt, wantField)
	}
	n.dtype = n.leaf
	return n, nil
}

func numberOf(k reflect.Kind, size int) meta.DType {
	d := meta.DType{Order: '<', Size: size}
	if size == 1 {
		d.Order = '|'
	}
	switch {
	case k >= reflect.Complex64:
		d.Kind = meta.Complex
	case k >= reflect.Float32:
		d.Kind = meta.Float
	case k >= reflect.Uint:
		d.Kind = meta.Uint
	default:
		d.Kind = meta.Int
	}
	return d
}

func (n *node) array(rt reflect.Type, depth int, align bool) error {
	for ; rt.Kind() == reflect.Array; rt = rt.Elem() {
		if rt.Len() == 0 || len(n.shape) == maxDepth {
			return refuse(n.name, rt, "a non-empty array of at most 32 dimensions")
		}
		n.shape = append(n.shape, rt.Len())
	}
	var err error
	if n.elem, err = nodeOf(rt, n.name, depth+1, align); err != nil {
		return err
	}
	n.dtype = n.elem.dtype
	if depth == 0 && rt.Kind() == reflect.Uint8 && len(n.shape) == 1 {
		n.raw = true
		n.dtype = meta.DType{Kind: meta.Void, Order: '|', Size: n.size}
	}
	return nil
}
