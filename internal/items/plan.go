package items

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Plan moves items between memory and their stored form.
type Plan struct {
	Text string // the dtype of the stored items

	mem, item int // bytes of one value in memory, and of one stored item
	ops       []op
	gaps      bool // stored items have bytes that no field writes
	direct    bool // both forms are equal except for the byte order
}

// An op moves a run of bytes that is contiguous in both forms, or, with sub, an
// array of elements that is not.
type op struct {
	mem, item int // offsets of the run
	n         int // number of bytes
	unit      int // bytes to reverse at a time; 0: none
	bool      bool

	sub               []op
	count             int
	memStep, itemStep int
}

type planned struct {
	text, what string
	plan       *Plan
	err        error
}

// PlanOf returns how items of dtype d, whose text is given, are read into values of type
// t, or, with write, written from them. Fields are matched by name. A value that is read
// need not have all fields of d, but one that is written must. If the two do not match,
// the error is a *blosc2.OptionError that names both; what describes d in the error, such
// as "the array's type".
func (t *Type) PlanOf(d *meta.DType, text string, write bool, what string) (*Plan, error) {
	return t.plan(d, text, write, what)
}

// PlanText is like PlanOf, for a dtype as text.
func (t *Type) PlanText(text string, write bool, what string) (*Plan, error) {
	return t.plan(nil, text, write, what)
}

func (t *Type) plan(known *meta.DType, text string, write bool, what string) (*Plan, error) {
	last := &t.last[0]
	if write {
		last = &t.last[1]
	}
	if l := last.Load(); l != nil && l.text == text && l.what == what {
		return l.plan, l.err
	}
	p := &Plan{mem: t.root.size}
	var d meta.DType
	var err error
	if known != nil {
		d = *known
	} else {
		d, err = meta.ParseDType(text)
	}
	if err == nil {
		p.Text, p.item = text, d.Size
		p.ops, err = t.root.match(nil, d, nil, 0, 0, write)
	}
	if err != nil {
		p, err = nil, t.mismatch(text, what, err)
	} else {
		p.finish()
	}
	last.Store(&planned{text, what, p, err})
	return p, err
}

func (t *Type) mismatch(text, what string, err error) error {
	if len(text) > 200 {
		text = text[:200] + "…"
	}
	e := &blosc2.OptionError{Option: "item type", Value: t, Range: text + ", " + what}
	if m, ok := err.(*misfit); ok && m.where != t.name {
		e.Range += " (" + strings.TrimPrefix(m.where, t.name+".") + ": " + m.why + ")"
	}
	return e
}

// A misfit describes which field does not fit, and why.
type misfit struct{ where, why string }

func (m *misfit) Error() string { return m.where + ": " + m.why }

func (n *node) misfit(format string, args ...any) error {
	return &misfit{n.name, fmt.Sprintf(format, args...)}
}

// match appends the ops that move n, at mem in memory, and the items of type d
// and the given shape, at item in the stored form.
func (n *node) match(ops []op, d meta.DType, shape []int, mem, item int, write bool) ([]op, error) {
	switch {
	case n.fields != nil:
		if d.Kind != meta.Struct || len(shape) > 0 {
			return ops, n.misfit("a struct is not %s", typeText(d, shape))
		}
		return n.matchFields(ops, d, mem, item, write)
	case n.raw && len(shape) == 0 && n.wholly(d):
		return append(ops, op{mem: mem, item: item, n: n.size, unit: unitOf(d)}), nil
	case n.elem != nil:
		return n.matchArray(ops, d, shape, mem, item, write)
	case len(shape) == 0 && n.holds(d):
		return append(ops, op{mem: mem, item: item, n: n.size, unit: unitOf(d), bool: n.bool}), nil
	}
	return ops, n.misfit("%s is not %s", typeText(n.dtype, n.shape), typeText(d, shape))
}

func (n *node) matchFields(ops []op, d meta.DType, mem, item int, write bool) ([]op, error) {
	for _, f := range n.fields {
		i := slices.IndexFunc(d.Fields, func(g meta.Field) bool { return g.Name == f.name })
		if i < 0 {
			return ops, f.misfit("there is no field %q", f.name)
		}
		g := d.Fields[i]
		var err error
		if ops, err = f.match(ops, g.Type, g.Shape, mem+f.at, item+g.Offset, write); err != nil {
			return ops, err
		}
	}
	if write && len(d.Fields) != len(n.fields) {
		for _, g := range d.Fields {
			if !slices.ContainsFunc(n.fields, func(f part) bool { return f.name == g.Name }) {
				return ops, &misfit{n.name + "." + g.Name, "the struct has no such field"}
			}
		}
	}
	return ops, nil
}

func (n *node) matchArray(ops []op, d meta.DType, shape []int, mem, item int, write bool) ([]op, error) {
	elem, own := n.elem, n.shape
	if k := len(own) - 1; len(shape) == k && whole(elem, own[k], d) {
		elem = &node{name: n.name, size: elem.size * own[k], raw: true, dtype: d}
		own = own[:k]
	}
	if !slices.Equal(own, shape) {
		return ops, n.misfit("%s is not %s", typeText(n.dtype, n.shape), typeText(d, shape))
	}
	count := 1
	for _, k := range shape {
		count *= k
	}
	sub, err := elem.match(nil, d, nil, 0, 0, write)
	if err != nil {
		return ops, err
	}
	if sub = merge(sub); len(sub) == 1 && sub[0].sub == nil && sub[0].n == elem.size && sub[0].n == d.Size {
		o := sub[0]
		o.mem, o.item, o.n = mem, item, o.n*count
		return append(ops, o), nil
	}
	return append(ops, op{mem: mem, item: item, sub: sub, count: count, memStep: elem.size, itemStep: d.Size}), nil
}

// holds reports whether values of n are items of dtype d.
func (n *node) holds(d meta.DType) bool {
	switch {
	case n.tagged:
		return n.leaf.Kind == d.Kind && n.leaf.Size == d.Size && n.leaf.Unit == d.Unit
	case n.bool:
		return d.Kind == meta.Bool
	}
	return Holds(n.leaf, d)
}

// wholly reports whether the bytes of n are an item of dtype d.
func (n *node) wholly(d meta.DType) bool {
	if n.tagged {
		return n.leaf.Kind == d.Kind && n.leaf.Size == d.Size
	}
	return d.Size == n.size && (d.Kind == meta.Bytes || d.Kind == meta.Void || d.Kind == n.dtype.Kind)
}

func typeText(d meta.DType, shape []int) string {
	if len(shape) == 0 {
		return d.String()
	}
	return fmt.Sprintf("%v of shape %v", d, shape)
}

// unitOf returns how many bytes of an item to reverse at a time.
func unitOf(d meta.DType) int {
	if d.Order == '|' || d.Order == '>' != LittleEndian {
		return 0
	}
	switch d.Kind {
	case meta.Bytes, meta.Void, meta.Bool:
		return 0
	case meta.Unicode:
		return 4
	case meta.Complex:
		return d.Size / 2
	}
	if d.Size == 1 {
		return 0
	}
	return d.Size
}

// finish merges the ops and determines whether the plan is direct or plain.
func (p *Plan) finish() {
	p.ops = merge(p.ops)
	p.direct = len(p.ops) == 1 && p.ops[0].sub == nil && p.ops[0].n == p.mem && p.mem == p.item && !p.ops[0].bool
	p.gaps = covered(p.ops) != p.item
}

// merge joins ops that begin where the previous one ends.
func merge(ops []op) []op {
	out := ops[:0]
	for _, o := range ops {
		if len(out) > 0 {
			l := &out[len(out)-1]
			if l.sub == nil && o.sub == nil && l.mem+l.n == o.mem && l.item+l.n == o.item && l.unit == o.unit && l.bool == o.bool {
				l.n += o.n
				continue
			}
		}
		out = append(out, o)
	}
	return out
}

func covered(ops []op) (n int) {
	for _, o := range ops {
		if o.sub != nil {
			n += o.count * covered(o.sub)
		}
		n += o.n
	}
	return n
}
