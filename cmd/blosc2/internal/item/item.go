// Package item decodes and formats the items of arrays.
package item

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/meta"
)

// Count returns the number of items of an array.
func Count(shape []int64) int64 {
	n := int64(1)
	for _, side := range shape {
		n *= side
	}
	return n
}

// Order returns the byte order of an item.
func Order(d meta.DType) binary.ByteOrder {
	if d.Order == '>' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// whole decodes an unsigned integer of 1, 2, 4 or 8 bytes.
func whole(d meta.DType, b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(Order(d).Uint16(b))
	case 4:
		return uint64(Order(d).Uint32(b))
	}
	return Order(d).Uint64(b)
}

// signed decodes a signed integer.
func signed(d meta.DType, b []byte) int64 {
	shift := 64 - 8*len(b)
	return int64(whole(d, b)<<shift) >> shift
}

// Real decodes a floating-point number of 2, 4 or 8 bytes. For a longer number, which
// Go has no type for, ok is false.
func Real(d meta.DType, b []byte) (f float64, ok bool) {
	switch len(b) {
	case 2:
		return half(Order(d).Uint16(b)), true
	case 4:
		return float64(math.Float32frombits(Order(d).Uint32(b))), true
	case 8:
		return math.Float64frombits(Order(d).Uint64(b)), true
	}
	return 0, false
}

// half decodes an IEEE 754 number of 16 bits.
func half(bits uint16) float64 {
	exp, frac := int(bits>>10&31), float64(bits&1023)
	f := math.Ldexp(1+frac/1024, exp-15)
	switch {
	case exp == 0:
		f = math.Ldexp(frac, -24)
	case exp == 31 && frac == 0:
		f = math.Inf(1)
	case exp == 31:
		f = math.NaN()
	}
	if bits>>15 != 0 {
		f = -f
	}
	return f
}

// Number returns an item as a number. For NaT it returns NaN. ok is false for
// other types, and for floating-point numbers of more than 8 bytes.
func Number(d meta.DType, b []byte) (f float64, ok bool) {
	switch d.Kind {
	case meta.Bool, meta.Uint:
		return float64(whole(d, b)), true
	case meta.Int:
		return float64(signed(d, b)), true
	case meta.DateTime, meta.TimeDelta:
		if n := signed(d, b); n != math.MinInt64 {
			return float64(n), true
		}
		return math.NaN(), true
	case meta.Float:
		return Real(d, b)
	}
	return 0, false
}

// Text formats an item. Strings in a structure are quoted as by Quoted.
func Text(d meta.DType, b []byte) string {
	switch d.Kind {
	case meta.Bool:
		return strconv.FormatBool(b[0] != 0)
	case meta.Uint:
		return strconv.FormatUint(whole(d, b), 10)
	case meta.Int, meta.TimeDelta:
		return strconv.FormatInt(signed(d, b), 10)
	case meta.DateTime:
		return Moment(signed(d, b), d.Unit)
	case meta.Float:
		if f, ok := Real(d, b); ok {
			return strconv.FormatFloat(f, 'g', -1, max(32, min(8*len(b), 64)))
		}
	case meta.Complex:
		n := len(b) / 2
		re, ok := Real(d, b[:n])
		im, _ := Real(d, b[n:])
		if ok {
			return strconv.FormatComplex(complex(re, im), 'g', -1, 16*n)
		}
	case meta.Bytes:
		return Printable(strings.TrimRight(string(b), "\x00"))
	case meta.Unicode:
		return Printable(strings.TrimRight(Characters(d, b), "\x00"))
	case meta.Struct:
		return record(d, b)
	}
	return hex.EncodeToString(b)
}

// Printable returns a string, in quotes if it has characters that would break a
// line or control a terminal.
func Printable(s string) string {
	for _, r := range s {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// Quoted formats an item as Text does, except that it quotes a string as Python and
// NumPy do in a list. Trailing spaces are then visible.
func Quoted(d meta.DType, b []byte) string {
	switch d.Kind {
	case meta.Bytes:
		var latin []rune
		for _, c := range bytes.TrimRight(b, "\x00") {
			latin = append(latin, rune(c))
		}
		return "b" + repr(string(latin), unicode.MaxASCII)
	case meta.Unicode:
		return repr(strings.TrimRight(Characters(d, b), "\x00"), unicode.MaxRune)
	}
	return Text(d, b)
}

// repr returns a string as Python's repr does; characters above last are escaped.
func repr(s string, last rune) string {
	quote := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b := utf8.AppendRune(nil, quote)
	for _, r := range s {
		switch i := strings.IndexRune("\n\r\t", r); {
		case i >= 0:
			b = append(b, '\\', "nrt"[i])
		case r == quote || r == '\\':
			b = append(b, '\\', byte(r))
		case r <= last && strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r < 0x100:
			b = fmt.Appendf(b, `\x%02x`, r)
		case r < 0x10000:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = fmt.Appendf(b, `\U%08x`, r)
		}
	}
	return string(utf8.AppendRune(b, quote))
}

// Seconds returns the length in seconds of the unit in which dates are drawn. It is the
// unit of the type. Dates in months and years, which have no fixed length, are drawn in
// days (see Days). Seconds returns 0 if the type is not a date or its unit is not
// known.
func Seconds(d meta.DType) float64 {
	if d.Kind != meta.DateTime {
		return 0
	}
	return map[string]float64{"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "D": 86400, "W": 7 * 86400, "M": 86400, "Y": 86400}[d.Unit]
}

// Days returns a function that converts dates in months or years, as numbers of their
// unit, to days since 1970. It returns nil for other types.
func Days(d meta.DType) func(n float64) float64 {
	months := map[string]float64{"M": 1, "Y": 12}[d.Unit]
	if d.Kind != meta.DateTime || months == 0 {
		return nil
	}
	return func(n float64) float64 {
		if n *= months; !(math.Abs(n) <= 12*100_000) {
			return math.NaN() // NaT, or a date that Moment cannot format
		}
		return float64(time.Date(1970, 1+time.Month(n), 1, 0, 0, 0, 0, time.UTC).Unix() / 86400)
	}
}

// Moment formats a date and time as NumPy does, to the precision of its unit.
// Generic units, multiples of a unit, and years of more than five digits are
// formatted as numbers.
func Moment(n int64, unit string) string {
	if n == math.MinInt64 {
		return "NaT"
	}
	const most = 100_000 // in years
	within := func(perYear int64) bool { return n > -most*perYear && n < most*perYear }
	seconds := map[string]int64{"W": 7 * 86400, "D": 86400, "h": 3600, "m": 60, "s": 1}[unit]
	switch {
	case unit == "Y" && within(1):
		return time.Date(1970+int(n), 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")
	case unit == "M" && within(12):
		return time.Date(1970, 1+time.Month(n), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
	case seconds > 0 && within(366*86400/seconds):
		layout := map[string]string{"h": "2006-01-02T15", "m": "2006-01-02T15:04", "s": "2006-01-02T15:04:05"}[unit]
		return time.Unix(n*seconds, 0).UTC().Format(cmp.Or(layout, time.DateOnly))
	case unit == "ms" && within(366*86400e3):
		return time.UnixMilli(n).UTC().Format("2006-01-02T15:04:05.000")
	case unit == "us" && within(366*86400e6):
		return time.UnixMicro(n).UTC().Format("2006-01-02T15:04:05.000000")
	case unit == "ns":
		return time.Unix(0, n).UTC().Format("2006-01-02T15:04:05.000000000")
	}
	return strconv.FormatInt(n, 10)
}

// Characters decodes characters of four bytes.
func Characters(d meta.DType, b []byte) string {
	var s []byte
	for ; len(b) >= 4; b = b[4:] {
		s = utf8.AppendRune(s, rune(Order(d).Uint32(b)))
	}
	return string(s)
}

// record formats the fields of a structure.
func record(d meta.DType, b []byte) string {
	fields := make([]string, len(d.Fields))
	for i, f := range d.Fields {
		var parts []string
		for at := f.Offset; at < f.Offset+f.Len(); at += f.Type.Size {
			parts = append(parts, Quoted(f.Type, b[at:at+f.Type.Size]))
		}
		fields[i] = strings.Join(parts, " ")
		if f.Shape != nil {
			fields[i] = "[" + fields[i] + "]"
		}
	}
	return "(" + strings.Join(fields, ", ") + ")"
}
