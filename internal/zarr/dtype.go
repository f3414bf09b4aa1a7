package zarr

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/meta"
)

// typesV3 maps the names of types in format 3 to NumPy's.
var typesV3 = map[string]string{
	"bool": "|b1", "int8": "|i1", "int16": "<i2", "int32": "<i4", "int64": "<i8", "uint8": "|u1", "uint16": "<u2", "uint32": "<u4", "uint64": "<u8",
	"float16": "<f2", "float32": "<f4", "float64": "<f8", "complex64": "<c8", "complex128": "<c16",
}

// typeV3 returns the type of a data_type.
func typeV3(n named) (meta.DType, error) {
	if text, ok := typesV3[n.Name]; ok {
		return meta.ParseDType(text)
	}
	var c lengthV3
	if len(n.Configuration) > 0 {
		if err := json.Unmarshal(n.Configuration, &c); err != nil {
			return meta.DType{}, corrupt("invalid configuration of data type %q: %v", n.Name, err)
		}
	}
	text := ""
	switch {
	case n.Name == "fixed_length_utf32" && c.Bytes > 0 && c.Bytes%4 == 0:
		text = "<U" + strconv.Itoa(c.Bytes/4)
	case n.Name == "null_terminated_bytes" && c.Bytes > 0:
		text = "|S" + strconv.Itoa(c.Bytes)
	case n.Name == "raw_bytes" && c.Bytes > 0:
		text = "|V" + strconv.Itoa(c.Bytes)
	case n.Name == "numpy.datetime64" || n.Name == "numpy.timedelta64":
		var u unitV3
		if err := json.Unmarshal(n.Configuration, &u); err != nil || u.Scale < 1 {
			return meta.DType{}, unsupported("data type %q with configuration %s", n.Name, n.Configuration)
		}
		if text = map[string]string{"numpy.datetime64": "<M8", "numpy.timedelta64": "<m8"}[n.Name]; u.Scale > 1 {
			text += "[" + strconv.Itoa(u.Scale) + u.Unit + "]"
		} else if u.Unit != "generic" {
			text += "[" + u.Unit + "]"
		}
	case strings.HasPrefix(n.Name, "r"):
		if bits, err := strconv.Atoi(n.Name[1:]); err == nil && bits > 0 && bits%8 == 0 {
			text = "|V" + strconv.Itoa(bits/8)
		}
	}
	if text == "" {
		return meta.DType{}, unsupported("data type %q", n.Name)
	}
	return meta.ParseDType(text)
}

// lengthV3 is the configuration of types of a given length.
type lengthV3 struct {
	Bytes int `json:"length_bytes"`
}

// unitV3 is the configuration of dates and time differences.
type unitV3 struct {
	Unit  string `json:"unit"`
	Scale int    `json:"scale_factor"`
}

// nameV3 returns the name of a type in format 3, which has no byte order: numbers
// and booleans and, as zarr-python has registered them, strings and bytes of fixed
// length, dates and time differences.
func nameV3(d meta.DType) (named, error) {
	text := strings.Trim(d.String(), "'")
	if len(text) > 1 && text[0] == '>' {
		text = "<" + text[1:]
	}
	for name, t := range typesV3 {
		if t == text {
			return named{Name: name}, nil
		}
	}
	switch d.Kind {
	case meta.DateTime, meta.TimeDelta:
		u := unitV3{strings.TrimLeft(d.Unit, "0123456789"), 1}
		if n, err := strconv.Atoi(strings.TrimSuffix(d.Unit, u.Unit)); err == nil {
			u.Scale = n
		}
		if u.Unit == "" {
			u.Unit = "generic"
		}
		return object(map[meta.Kind]string{meta.DateTime: "numpy.datetime64", meta.TimeDelta: "numpy.timedelta64"}[d.Kind], u), nil
	case meta.Unicode, meta.Bytes, meta.Void:
		if name := map[meta.Kind]string{meta.Unicode: "fixed_length_utf32", meta.Bytes: "null_terminated_bytes", meta.Void: "raw_bytes"}[d.Kind]; d.Size > 0 {
			return object(name, lengthV3{d.Size}), nil
		}
	}
	return named{}, unsupported("type %s; format 3 has only numbers, booleans, strings, bytes and dates", d)
}

func order(d meta.DType) binary.ByteOrder {
	if d.Order == '>' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// putFloat stores f in dst, which must have 4 or 8 bytes. Otherwise it returns false.
func putFloat(dst []byte, f float64, o binary.ByteOrder) bool {
	switch len(dst) {
	case 4:
		o.PutUint32(dst, math.Float32bits(float32(f)))
	case 8:
		o.PutUint64(dst, math.Float64bits(f))
	default: // a float16 can be given only by all of its bits
		return f == 0
	}
	return true
}

// fillItem returns a fill value as an item.
func fillItem(raw json.RawMessage, d meta.DType) ([]byte, error) {
	item := make([]byte, d.Size)
	if len(raw) == 0 || string(raw) == "null" {
		return item, nil
	}
	bad := func() ([]byte, error) { return nil, unsupported("fill value %s of type %s", raw, d) }
	o := order(d)
	var text string
	isText := json.Unmarshal(raw, &text) == nil
	if isText && strings.HasPrefix(text, "0x") {
		b, err := hex.DecodeString(text[2:])
		if err != nil || len(b) != d.Size {
			return bad()
		}
		for i := range b { // the digits are those of the bits of a number
			if o == binary.BigEndian {
				item[i] = b[i]
			} else {
				item[i] = b[len(b)-1-i]
			}
		}
		return item, nil
	}
	switch d.Kind {
	case meta.Bool:
		var v bool
		if json.Unmarshal(raw, &v) != nil {
			return bad()
		}
		if v {
			item[0] = 1
		}
	case meta.Int, meta.Uint, meta.DateTime, meta.TimeDelta:
		if text == "NaT" {
			raw = json.RawMessage("-9223372036854775808")
		}
		var n json.Number
		if json.Unmarshal(raw, &n) != nil {
			return bad()
		}
		text := strings.TrimSuffix(n.String(), ".0")
		u, err := strconv.ParseUint(text, 10, 64)
		if i, err2 := strconv.ParseInt(text, 10, 64); err != nil && err2 == nil {
			u, err = uint64(i), nil
		}
		if err != nil {
			return bad()
		}
		switch d.Size {
		case 1:
			item[0] = byte(u)
		case 2:
			o.PutUint16(item, uint16(u))
		case 4:
			o.PutUint32(item, uint32(u))
		default:
			o.PutUint64(item, u)
		}
	case meta.Float:
		f, ok := jsonFloat(raw)
		if !ok {
			return bad()
		}
		if d.Size == 2 && math.IsNaN(f) {
			o.PutUint16(item, 0x7e00)
		} else if !putFloat(item, f, o) {
			return bad()
		}
	case meta.Complex:
		var parts [2]json.RawMessage
		if json.Unmarshal(raw, &parts) != nil {
			return bad()
		}
		for i, p := range parts {
			f, ok := jsonFloat(p)
			if !ok || !putFloat(item[i*d.Size/2:(i+1)*d.Size/2], f, o) {
				return bad()
			}
		}
	case meta.Unicode: // text; in format 2 also 0 for no text
		if utf8.RuneCountInString(text)*4 > d.Size || d.Order == '>' && text != "" {
			return bad()
		}
		putText(item, []byte(text))
	default: // bytes in base64; 0 or "" means zeros
		if !isText || text == "" {
			return item, nil
		}
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(b) > d.Size {
			return bad()
		}
		copy(item, b)
	}
	return item, nil
}

func jsonFloat(raw json.RawMessage) (float64, bool) {
	var f float64
	if json.Unmarshal(raw, &f) == nil {
		return f, true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return 0, false
	}
	switch text {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

// fillJSON returns the fill value for zeros, the only one that this package writes.
func fillJSON(item []byte, d meta.DType) (json.RawMessage, error) {
	for _, b := range item {
		if b != 0 {
			return nil, unsupported("a fill value other than 0")
		}
	}
	switch d.Kind {
	case meta.Bool:
		return json.RawMessage("false"), nil
	case meta.Complex:
		return json.RawMessage("[0.0,0.0]"), nil
	case meta.Float:
		return json.RawMessage("0.0"), nil
	case meta.Unicode, meta.Bytes:
		return json.RawMessage(`""`), nil
	case meta.Void:
		return json.Marshal(item) // bytes are written in base64
	}
	return json.RawMessage("0"), nil
}
