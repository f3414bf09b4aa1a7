package meta

import "strings"

// Descr returns the type as .npy files hold it, like NumPy's dtype.descr. Unlike in
// String, plain types are in quotes, and gaps between fields are fields without a
// name instead of a dict. ok is false if the type has no such form: Opaque types,
// and fields that overlap or are not in the order of their offsets.
func (d DType) Descr() (s string, ok bool) {
	if d.Kind != Struct {
		return d.quoted(), d.Kind != Opaque
	}
	var items []string
	end := 0
	gap := func(to int) {
		if to > end {
			items = append(items, Field{}.item(DType{Kind: Void, Order: '|', Size: to - end}.quoted()))
		}
	}
	for _, f := range d.Fields {
		inner, ok := f.Type.Descr()
		if !ok || f.Offset < end {
			return "", false
		}
		gap(f.Offset)
		items = append(items, f.item(inner))
		end = f.Offset + f.Len()
	}
	gap(d.Size)
	return "[" + strings.Join(items, ", ") + "]", true
}
