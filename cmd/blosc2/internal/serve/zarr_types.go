package serve

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/meta"
)

// zarrType returns the name of a type in Zarr v3, or an object for types of its
// extensions, and the value of items that are not stored, which is zero.
func zarrType(d meta.DType) (name, fill any, err error) {
	bits := strconv.Itoa(8 * d.Size)
	switch d.Kind {
	case meta.Bool:
		return "bool", false, nil
	case meta.Int:
		return "int" + bits, 0, nil
	case meta.Uint:
		return "uint" + bits, 0, nil
	case meta.Float:
		if d.Size <= 8 {
			return "float" + bits, 0.0, nil
		}
	case meta.Complex:
		if d.Size <= 16 {
			return "complex" + bits, []float64{0, 0}, nil
		}
	case meta.DateTime:
		return zarrTime("numpy.datetime64", d.Unit), 0, nil
	case meta.TimeDelta:
		return zarrTime("numpy.timedelta64", d.Unit), 0, nil
	case meta.Bytes:
		return sized("null_terminated_bytes", d.Size), "", nil
	case meta.Unicode:
		return sized("fixed_length_utf32", d.Size), "", nil
	case meta.Void:
		return sized("raw_bytes", d.Size), base64.StdEncoding.EncodeToString(make([]byte, d.Size)), nil
	case meta.Struct:
		return zarrStruct(d)
	}
	return nil, nil, statusf(http.StatusUnsupportedMediaType, "Zarr has no type for items of type %v", d)
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

// zarrStruct returns the type of structures whose fields follow one another without
// gaps, in little-endian order.
func zarrStruct(d meta.DType) (name, fill any, err error) {
	var fields []any
	at := 0
	for _, f := range d.Fields {
		if f.Offset != at || f.Shape != nil || f.Type.Order == '>' {
			return nil, nil, statusf(http.StatusUnsupportedMediaType, "Zarr has no type for the field %s of %v", f.Name, d)
		}
		at += f.Len()
		t, _, err := zarrType(f.Type)
		if err != nil {
			return nil, nil, err
		}
		fields = append(fields, []any{f.Name, t})
	}
	if at != d.Size {
		return nil, nil, statusf(http.StatusUnsupportedMediaType, "Zarr has no type for the gaps of %v", d)
	}
	return object{"name": "structured", "configuration": object{"fields": fields}}, base64.StdEncoding.EncodeToString(make([]byte, d.Size)), nil
}
