package rows

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/table"
)

// AppendCell appends a value of a column as text, for people and comma-separated
// values. It appends nothing for null, which is nil.
func AppendCell(dst []byte, c *table.Column, v any) []byte {
	switch v := v.(type) {
	case nil:
		return dst
	case string:
		return append(dst, v...)
	case []byte:
		if c.Spec().Kind == table.NDArray {
			return appendItems(dst, c, v)
		}
		return base64.StdEncoding.AppendEncode(dst, v)
	case int64:
		if c.Spec().Kind == table.Timestamp {
			return append(dst, moment(v, c.Spec().Unit)...)
		}
		return strconv.AppendInt(dst, v, 10)
	case int32:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	case float32:
		return strconv.AppendFloat(dst, float64(v), 'g', -1, 32)
	case complex64:
		return append(dst, strconv.FormatComplex(complex128(v), 'g', -1, 64)...)
	case complex128:
		return append(dst, strconv.FormatComplex(v, 'g', -1, 128)...)
	}
	return AppendValue(dst, v)
}

// AppendJSON appends a value of a column as JSON.
func AppendJSON(dst []byte, c *table.Column, v any) []byte {
	switch c.Spec().Kind {
	case table.Timestamp:
		if n, ok := v.(int64); ok {
			return AppendText(dst, moment(n, c.Spec().Unit))
		}
	case table.NDArray:
		if b, ok := v.([]byte); ok {
			return appendItems(dst, c, b)
		}
	}
	return AppendValue(dst, v)
}

// appendItems appends the items of an ndarray column's row as a list.
func appendItems(dst []byte, c *table.Column, b []byte) []byte {
	d := c.ItemType()
	dst = append(dst, '[')
	for i := 0; len(b) >= d.Size && d.Size > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		word := item.Text(d, b[:d.Size])
		if _, err := strconv.ParseFloat(word, 64); err == nil && strings.Trim(word, "0123456789+-.eE") == "" || word == "true" || word == "false" {
			dst = append(dst, word...)
		} else {
			dst = AppendText(dst, word)
		}
		b = b[d.Size:]
	}
	return append(dst, ']')
}

// moment writes a timestamp in the format of RFC 3339.
func moment(n int64, unit string) string {
	var t time.Time
	switch unit {
	case "s":
		t = time.Unix(n, 0)
	case "ms":
		t = time.UnixMilli(n)
	case "us":
		t = time.UnixMicro(n)
	default:
		t = time.Unix(0, n)
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return strconv.FormatInt(n, 10)
	}
	return t.Format("2006-01-02T15:04:05.999999999Z")
}

// Keys returns the text before each value of a JSON object, for AppendObject.
func Keys(columns []*table.Column) (keys [][]byte) {
	for i, c := range columns {
		key := []byte{","[0]}
		if i == 0 {
			key[0] = '{'
		}
		keys = append(keys, append(AppendText(key, c.Spec().Name), ':'))
	}
	return keys
}

// AppendObject appends a row as a JSON object. With asText all values except null are
// strings, as AppendCell writes them. Programs that read JSON numbers as float64 then
// lose no digits.
func AppendObject(dst []byte, keys [][]byte, r *table.Row, asText bool) []byte {
	for i, c := range r.Columns() {
		dst = append(dst, keys[i]...)
		switch v := r.Value(i); {
		case asText && v != nil:
			dst = AppendText(dst, string(AppendCell(nil, c, v)))
		default:
			dst = AppendJSON(dst, c, v)
		}
	}
	if len(keys) == 0 {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// AppendHeader appends a line of comma-separated values: the names of the columns.
func AppendHeader(dst []byte, columns []*table.Column) []byte {
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, []byte(c.Spec().Name), true)
	}
	return append(dst, '\n')
}

// AppendLine appends a row as a line of comma-separated values, which AppendCSV of
// package table can read. Null is an empty field, and an empty string is a field with
// empty quotes.
func AppendLine(dst []byte, r *table.Row) []byte {
	var room [64]byte
	for i, c := range r.Columns() {
		if i > 0 {
			dst = append(dst, ',')
		}
		v := r.Value(i)
		dst = appendField(dst, AppendCell(room[:0], c, v), v != nil)
	}
	return append(dst, '\n')
}

// appendField appends a field, in quotes if necessary.
func appendField(dst, field []byte, quoteEmpty bool) []byte {
	if len(field) == 0 && quoteEmpty {
		return append(dst, `""`...)
	}
	for _, c := range field {
		if c == ',' || c == '"' || c == '\n' || c == '\r' {
			dst = append(dst, '"')
			for _, c := range field {
				if c == '"' {
					dst = append(dst, '"')
				}
				dst = append(dst, c)
			}
			return append(dst, '"')
		}
	}
	return append(dst, field...)
}
