package meta

import (
	"math"
	"slices"
)

// maxFields is the largest number of fields, nested ones included.
const maxFields = 1024

// dtypeOf converts a Python literal to a type.
func dtypeOf(v any) (DType, bool) {
	return (&structParser{left: maxFields}).dtype(v)
}

// A structParser converts Python values to types.
type structParser struct {
	left    int  // number of fields that may still be added
	aligned bool // fields are aligned as in C
}

func (p *structParser) dtype(v any) (DType, bool) {
	switch v := v.(type) {
	case string:
		return parsePlain(v)
	case pyList:
		return p.list(v)
	case pyDict:
		return p.dict(v)
	}
	return DType{}, false
}

// list reads [(name, type), (name, type, shape), …].
func (p *structParser) list(l pyList) (DType, bool) {
	d := DType{Kind: Struct, Order: '|'}
	for _, item := range l {
		t, ok := item.(pyTuple)
		if !ok || len(t) < 2 || len(t) > 3 {
			return DType{}, false
		}
		var f Field
		if !f.setName(t[0]) || !p.setType(&f, t[1]) {
			return DType{}, false
		}
		if len(t) == 3 && !f.setShape(t[2]) {
			return DType{}, false
		}
		f.Offset = p.round(d.Size, f.Type)
		if !d.add(f) {
			return DType{}, false
		}
		if f.isGap() {
			d.Fields = d.Fields[:len(d.Fields)-1]
		}
	}
	d.Size = p.round(d.Size, d)
	return d, d.Size > 0 && d.Size <= math.MaxInt32
}

// dict reads {'names': […], 'formats': […], 'offsets': […], 'titles': […],
// 'itemsize': n, 'aligned': b}, of which the first two are required. Lists
// within an aligned dict are aligned too, as NumPy writes them.
func (p *structParser) dict(dict pyDict) (DType, bool) {
	var names, formats, offsets, titles pyList
	size := int64(0)
	inner := structParser{left: p.left, aligned: p.aligned}
	for _, item := range dict {
		ok := true
		switch item.key {
		case "names":
			names, ok = item.value.(pyList)
		case "formats":
			formats, ok = item.value.(pyList)
		case "offsets":
			offsets, ok = item.value.(pyList)
		case "titles":
			titles, ok = item.value.(pyList)
		case "itemsize":
			size, ok = item.value.(int64)
		case "aligned":
			inner.aligned, ok = item.value.(bool)
		default:
			ok = false
		}
		if !ok {
			return DType{}, false
		}
	}
	n := len(names)
	if len(formats) != n || offsets != nil && len(offsets) != n || titles != nil && len(titles) != n {
		return DType{}, false
	}
	d := DType{Kind: Struct, Order: '|'}
	for i := range names {
		var f Field
		if !f.setName(names[i]) || !inner.setFormat(&f, formats[i]) {
			return DType{}, false
		}
		f.Offset = inner.round(d.Size, f.Type)
		if offsets != nil && !f.setOffset(offsets[i]) {
			return DType{}, false
		}
		if titles != nil {
			f.Title, _ = titles[i].(string)
		}
		if !d.add(f) {
			return DType{}, false
		}
	}
	p.left = inner.left
	if size == 0 {
		size = int64(inner.round(d.Size, d))
	}
	if size < int64(d.Size) || size > math.MaxInt32 {
		return DType{}, false
	}
	d.Size = int(size)
	return d, d.Size > 0
}

// round rounds an offset up to the alignment of the type, if fields are
// aligned.
func (p *structParser) round(offset int, t DType) int {
	if !p.aligned {
		return offset
	}
	return int(roundUp(int64(offset), int64(t.Alignment())))
}

// Alignment returns the alignment of the type in C on a 64-bit machine, in
// bytes.
func (d DType) Alignment() int {
	n := 1
	switch d.Kind {
	case Bool, Int, Uint, Float, DateTime, TimeDelta:
		n = d.Size
	case Complex:
		n = d.Size / 2
	case Unicode:
		n = 4
	case Struct:
		for _, f := range d.Fields {
			n = max(n, f.Type.Alignment())
		}
	}
	if n == 12 { // a long double on 32-bit machines
		n = 4
	}
	return n
}

// setName sets the name of a field, or its title and its name.
func (f *Field) setName(v any) (ok bool) {
	if t, pair := v.(pyTuple); pair && len(t) == 2 {
		if f.Title, ok = t[0].(string); !ok {
			return false
		}
		v = t[1]
	}
	f.Name, ok = v.(string)
	return ok
}

func (p *structParser) setType(f *Field, v any) (ok bool) {
	if p.left--; p.left < 0 {
		return false
	}
	f.Type, ok = p.dtype(v)
	return ok
}

// setFormat sets the type of a field, or its type and shape.
func (p *structParser) setFormat(f *Field, v any) bool {
	if t, pair := v.(pyTuple); pair && len(t) == 2 {
		return p.setType(f, t[0]) && f.setShape(t[1])
	}
	return p.setType(f, v)
}

// setOffset sets the offset of a field, in bytes.
func (f *Field) setOffset(v any) bool {
	at, ok := v.(int64)
	f.Offset = int(at)
	return ok && at >= 0 && at <= math.MaxInt32
}

// setShape sets the shape of a field, from a number or a tuple of numbers.
func (f *Field) setShape(v any) bool {
	dims, ok := v.(pyTuple)
	if n, single := v.(int64); single {
		dims, ok = pyTuple{n}, true
	}
	if !ok || len(dims) > maxDepth {
		return false
	}
	f.Shape = make([]int, len(dims))
	size := int64(f.Type.Size)
	for i, v := range dims {
		n, ok := v.(int64)
		if !ok || n < 0 || n > math.MaxInt32 {
			return false
		}
		if size *= n; size > math.MaxInt32 {
			return false
		}
		f.Shape[i] = int(n)
	}
	return true
}

// add appends a field. It returns false if there are too many fields, or one of that
// name.
func (d *DType) add(f Field) bool {
	end := int64(f.Offset) + int64(f.Len())
	if f.Offset < 0 || end > math.MaxInt32 || slices.ContainsFunc(d.Fields, func(g Field) bool { return g.Name == f.Name }) {
		return false
	}
	d.Size = max(d.Size, int(end))
	d.Fields = append(d.Fields, f)
	return true
}
