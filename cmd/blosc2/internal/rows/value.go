// Package rows writes values, and the rows of tables, as text: for cat, the viewer
// and the server alike.
package rows

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/meaning"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// AppendValue appends a value as JSON. Values that JSON lacks are written as
// strings: NaN and infinities, bytes in base64, and a short description of
// frames within values.
func AppendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return AppendText(dst, v)
	case []byte:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v)
		return append(dst, '"')
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return appendFloat(dst, v, 64)
	case float32:
		return appendFloat(dst, float64(v), 32)
	case complex64:
		return AppendText(dst, strconv.FormatComplex(complex128(v), 'g', -1, 64))
	case complex128:
		return AppendText(dst, strconv.FormatComplex(v, 'g', -1, 128))
	case time.Time:
		return AppendText(dst, v.Format(time.RFC3339Nano))
	case tree.Tuple:
		return appendList(dst, v)
	case []any:
		return appendList(dst, v)
	case meta.Map:
		dst = append(dst, '{')
		for i, p := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			key, isText := p.Key.(string)
			if !isText {
				key = string(AppendValue(nil, p.Key))
			}
			dst = append(AppendText(dst, key), ':')
			dst = AppendValue(dst, p.Value)
		}
		return append(dst, '}')
	case tree.Reference:
		return AppendText(dst, meaning.RecipeText(tree.Recipe(v)))
	case tree.Embedded:
		return AppendText(dst, fmt.Sprintf("a frame of %d bytes", len(v.Bytes)))
	case meta.Ext:
		return AppendText(dst, fmt.Sprintf("extension %d: %s", v.Type, base64.StdEncoding.EncodeToString(v.Data)))
	}
	return fmt.Append(dst, v) // the other types of numbers
}

func appendList(dst []byte, l []any) []byte {
	dst = append(dst, '[')
	for i, v := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendValue(dst, v)
	}
	return append(dst, ']')
}

func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}

// AppendText appends a JSON string.
func AppendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			b, _ := json.Marshal(s) // encoding a string cannot fail
			return append(dst, b...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
