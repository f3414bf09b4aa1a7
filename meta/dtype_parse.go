package meta

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// ParseDType parses a NumPy type, in any of its spellings: "<f4" and "float32",
// "|S5", "<U7", "<M8[ns]", "datetime64[ns]", "|V16", "[('a', '<i4'), ('b',
// '<f8', (2,))]", "{'names': …}", and any of these in dtype(…). Types without a
// byte order are little-endian. Invalid types, types without a size, and Python
// objects return [blosc2.ErrUnsupported].
func ParseDType(s string) (DType, error) {
	text := strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(text, "dtype("); ok && strings.HasSuffix(inner, ")") {
		text = inner[:len(inner)-1]
	}
	if text != "" && strings.IndexByte("[({'\"", text[0]) >= 0 {
		v, err := parsePython(text)
		if err == nil {
			if d, ok := dtypeOf(v); ok {
				return d, nil
			}
		}
	} else if d, ok := parsePlain(text); ok {
		return d, nil
	}
	if len(s) > 64 {
		s = s[:64] + "…"
	}
	return DType{}, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "dtype %q", s)
}

// ItemType returns the type of the array's items, which have typesize bytes
// according to the frame. Without a dtype it is a string of bytes, as in
// C-Blosc2. An unknown dtype, or one of another size, is [Opaque].
func (a *B2ND) ItemType(typesize int) DType {
	if a.Parts == 5 || a.DTypeFormat == 0 && a.DType == "" {
		return DType{Kind: Bytes, Order: '|', Size: typesize}
	}
	if a.DTypeFormat == 0 {
		if d, err := ParseDType(a.DType); err == nil && d.Size == typesize {
			return d
		}
	}
	return DType{Kind: Opaque, Order: '|', Size: typesize, Text: a.DType}
}

// names maps the names of types to their codes.
var names = map[string]string{
	"bool": "?", "bool_": "?", "bool8": "?",
	"int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "byte": "i1", "short": "i2", "intc": "i4",
	"int": "i8", "int_": "i8", "long": "i8", "longlong": "i8", "intp": "i8",
	"uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8", "ubyte": "u1", "ushort": "u2", "uintc": "u4",
	"uint": "u8", "ulong": "u8", "ulonglong": "u8", "uintp": "u8",
	"float16": "f2", "float32": "f4", "float64": "f8", "float96": "f12", "float128": "f16",
	"half": "f2", "single": "f4", "double": "f8", "float": "f8", "float_": "f8", "longdouble": "f16",
	"complex64": "c8", "complex128": "c16", "complex192": "c24", "complex256": "c32",
	"csingle": "c8", "cdouble": "c16", "complex": "c16", "complex_": "c16", "clongdouble": "c32",
	// These codes of types are single letters.
	"b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "q": "i8", "Q": "u8",
	"e": "f2", "f": "f4", "d": "f8", "g": "f16", "F": "c8", "D": "c16", "G": "c32",
}

// sizes lists the sizes that each kind may have, in bytes.
var sizes = map[Kind][]int{
	Bool: {1}, Int: {1, 2, 4, 8}, Uint: {1, 2, 4, 8}, Float: {2, 4, 8, 12, 16}, Complex: {8, 16, 24, 32},
	DateTime: {8}, TimeDelta: {8},
}

// parsePlain reads a type that has no fields.
func parsePlain(s string) (DType, bool) {
	order := byte('<')
	if s != "" && strings.IndexByte("<>|=", s[0]) >= 0 {
		if s[0] == '>' {
			order = '>'
		}
		s = s[1:]
	}
	if code, ok := names[s]; ok {
		s = code
	}
	if s == "?" {
		s = "b1"
	}
	s = longName(s)
	if s == "" {
		return DType{}, false
	}
	d := DType{Kind: Kind(s[0]), Order: order}
	s = s[1:]
	if d.Kind == DateTime || d.Kind == TimeDelta {
		code, unit, hasUnit := strings.Cut(s, "[")
		if s = code; hasUnit {
			var closed bool
			if d.Unit, closed = strings.CutSuffix(unit, "]"); !closed || !validUnit(d.Unit) {
				return DType{}, false
			}
		}
		if s == "" {
			s = "8"
		}
	}
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil || n == 0 {
		return DType{}, false
	}
	d.Size = int(n)
	switch d.Kind {
	case Unicode:
		if n > math.MaxInt32/4 {
			return DType{}, false
		}
		d.Size *= 4
	case Bytes, Void:
		d.Order = '|'
	default:
		if !slices.Contains(sizes[d.Kind], d.Size) {
			return DType{}, false
		}
		if d.Size == 1 {
			d.Order = '|'
		}
	}
	return d, true
}

// longName converts names that contain a size in bits, or a unit, to codes.
func longName(s string) string {
	for _, long := range []struct {
		name string
		code string
		bits uint64 // bits for each unit that the code counts: 8 for bytes, 32 for characters
	}{{"datetime64", "M8", 0}, {"timedelta64", "m8", 0}, {"bytes", "S", 8}, {"str", "U", 32}, {"void", "V", 8}} {
		rest, ok := strings.CutPrefix(s, long.name)
		if !ok {
			continue
		}
		if long.bits == 0 {
			return long.code + rest
		}
		n, err := strconv.ParseUint(rest, 10, 40)
		if err != nil || n%long.bits != 0 {
			return ""
		}
		return long.code + strconv.FormatUint(n/long.bits, 10)
	}
	return s
}

// validUnit reports whether s is a unit of time, perhaps after a number.
func validUnit(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 9 {
		return false
	}
	switch s[digits:] {
	case "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "μs", "ns", "ps", "fs", "as":
		return true
	case "generic":
		return digits == 0
	}
	return false
}
