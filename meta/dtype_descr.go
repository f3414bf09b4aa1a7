package meta

import "strings"

// Descr writes the type as .npy files do, in the way of NumPy's dtype.descr: as
// String, but as a literal, so plain types are between quotes, and with gaps
// between fields as fields without a name, so that there is never a dict. ok is
// false where that cannot say it: for Opaque, and fields that overlap or do not
// lie in their order.
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
