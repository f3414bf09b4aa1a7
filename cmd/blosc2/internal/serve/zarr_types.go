package serve

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/meta"
)

// zarrType returns the name of a type in Zarr v3, or an object if the type is an
// extension. fill is the value of items that are not stored, which is zero. A type that
// Zarr lacks becomes plain bytes.
func zarrType(d meta.DType) (name, fill any) {
	bits := strconv.Itoa(8 * d.Size)
	switch d.Kind {
	case meta.Bool:
		return "bool", false
	case meta.Int:
		return "int" + bits, 0
	case meta.Uint:
		return "uint" + bits, 0
	case meta.Float:
		if d.Size <= 8 {
			return "float" + bits, 0.0
		}
	case meta.Complex:
		if d.Size <= 16 {
			return "complex" + bits, []float64{0, 0}
		}
	case meta.DateTime:
		return zarrTime("numpy.datetime64", d.Unit), 0
	case meta.TimeDelta:
		return zarrTime("numpy.timedelta64", d.Unit), 0
	case meta.Bytes:
		return sized("null_terminated_bytes", d.Size), ""
	case meta.Unicode:
		return sized("fixed_length_utf32", d.Size), ""
	case meta.Struct:
		if fields, ok := zarrFields(d); ok {
			return object{"name": "structured", "configuration": object{"fields": fields}}, zeros(d.Size)
		}
	}
	return sized("raw_bytes", d.Size), zeros(d.Size)
}

// zeros returns n bytes of zero in base64, as Zarr's metadata has them.
func zeros(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }

// plainBytes reports whether Zarr lacks the type, so that its items are plain bytes.
func plainBytes(d meta.DType) bool {
	name, _ := zarrType(d)
	o, ok := name.(object)
	return ok && o["name"] == "raw_bytes"
}

func sized(name string, size int) object {
	return object{"name": name, "configuration": object{"length_bytes": size}}
}

// zarrTime returns the type of times in a unit such as 25s.
func zarrTime(name, unit string) object {
	letters := strings.TrimLeft(unit, "0123456789")
	factor, err := strconv.Atoi(strings.TrimSuffix(unit, letters))
	if err != nil {
		factor = 1
	}
	if letters == "" {
		letters = "generic"
	}
	return object{"name": name, "configuration": object{"unit": letters, "scale_factor": factor}}
}

// zarrFields returns the fields of a structure in Zarr. ok is false if Zarr cannot
// describe them: it has only single items without gaps, in little-endian order.
func zarrFields(d meta.DType) (fields []any, ok bool) {
	at := 0
	for _, f := range d.Fields {
		if f.Offset != at || f.Shape != nil || f.Type.Order == '>' || plainBytes(f.Type) {
			return nil, false
		}
		at += f.Len()
		name, _ := zarrType(f.Type)
		fields = append(fields, []any{f.Name, name})
	}
	return fields, at == d.Size
}
