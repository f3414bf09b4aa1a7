package meta

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// JSON returns the JSON text of a value that [Decode] returns or [Encode] accepts.
// Maps keep the order of their keys, which become strings. Values that JSON cannot
// represent become strings: bytes in base64, times in RFC 3339, NaN, Infinity and
// -Infinity. An [Ext] is {"ext": type, "data": base64}.
func JSON(v any) ([]byte, error) {
	b, err := Encode(nil, v)
	if err != nil {
		return nil, err
	}
	if v, err = Decode(b); err != nil {
		return nil, err
	}
	return appendJSON(nil, v), nil
}

// MarshalJSON returns the result of [JSON] for the map.
func (m Map) MarshalJSON() ([]byte, error) { return JSON(m) }

// MarshalJSON returns the result of [JSON] for the extension.
func (e Ext) MarshalJSON() ([]byte, error) { return JSON(e) }

// appendJSON appends a value that Decode has returned.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	case float32:
		return appendFloat(dst, float64(v), v)
	case float64:
		return appendFloat(dst, v, v)
	case []byte:
		return appendString(dst, base64.StdEncoding.EncodeToString(v))
	case time.Time:
		return appendString(dst, v.Format(time.RFC3339Nano))
	case string:
		return appendString(dst, v)
	case Ext:
		dst = append(dst, `{"ext":`...)
		dst = strconv.AppendInt(dst, int64(v.Type), 10)
		dst = appendString(append(dst, `,"data":`...), base64.StdEncoding.EncodeToString(v.Data))
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, item)
		}
		return append(dst, ']')
	case Map:
		dst = append(dst, '{')
		for i, p := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			key, ok := p.Key.(string)
			if !ok {
				key = string(appendJSON(nil, p.Key))
			}
			dst = appendJSON(append(appendString(dst, key), ':'), p.Value)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...) // Decode returns no other types
}

func appendFloat(dst []byte, f float64, v any) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 0):
		return append(append(append(dst, '"'), map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]...), '"')
	}
	return appendMarshalled(dst, v)
}

func appendString(dst []byte, s string) []byte {
	return appendMarshalled(dst, strings.ToValidUTF8(s, "\ufffd"))
}

func appendMarshalled(dst []byte, v any) []byte {
	b, _ := json.Marshal(v) // cannot fail for a string or a finite number
	return append(dst, b...)
}

// ParseJSON parses one JSON text and returns a value for [Encode]: nil, a bool,
// int64, uint64, float64, string, []any or [Map]. Numbers without point and
// exponent are integers, unless they have more than 64 bits. Invalid JSON, and
// values nested more than 64 deep, result in blosc2.ErrCorrupt.
func ParseJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parseJSON(d, 0)
	if err == nil {
		if _, end := d.Token(); end == io.EOF {
			return v, nil
		}
		err = corruptJSON(d, "data after the value")
	}
	return nil, err
}

func corruptJSON(d *json.Decoder, format string, args ...any) error {
	return corrupt(blosc2.PartMeta, int(d.InputOffset()), "JSON: "+format, args...)
}

func parseJSON(d *json.Decoder, depth int) (any, error) {
	if depth > maxNesting {
		return nil, corruptJSON(d, "values nested more than %d deep", maxNesting)
	}
	token, err := d.Token()
	if err != nil {
		return nil, corruptJSON(d, "%v", err)
	}
	switch token := token.(type) {
	case json.Number:
		return number(token)
	case json.Delim:
		if token == '[' {
			list := []any{}
			for d.More() {
				v, err := parseJSON(d, depth+1)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
			return list, endJSON(d)
		}
		m := Map{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, corruptJSON(d, "%v", err)
			}
			v, err := parseJSON(d, depth+1)
			if err != nil {
				return nil, err
			}
			m = append(m, Pair{key, v})
		}
		return m, endJSON(d)
	}
	return token, nil
}

// endJSON reads the bracket that ends a list or map.
func endJSON(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return corruptJSON(d, "%v", err)
	}
	return nil
}

// number parses a JSON number.
func number(n json.Number) (any, error) {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil && n != "-0" {
		return i, nil
	}
	if u, err := strconv.ParseUint(n.String(), 10, 64); err == nil {
		return u, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrCorrupt, "JSON: invalid number %s: %v", n, err)
	}
	return f, nil
}
