package containertest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func number(f float64) any {
	switch {
	case math.IsNaN(f):
		return map[string]any{"float": "nan"}
	case math.IsInf(f, 1):
		return map[string]any{"float": "inf"}
	case math.IsInf(f, -1):
		return map[string]any{"float": "-inf"}
	}
	return f
}

func text(s string) any {
	if utf8.RuneCountInString(s) > 1000 {
		return map[string]any{"string": map[string]any{"len": int64(len(s)), "sha256": sum([]byte(s))}}
	}
	return s
}

func octets(b []byte) any {
	if len(b) > 1000 {
		return map[string]any{"bytes": map[string]any{"len": int64(len(b)), "sha256": sum(b)}}
	}
	return map[string]any{"bytes": hex.EncodeToString(b)}
}

var plainType = regexp.MustCompile(`^([<>|=])([a-zA-Z])(\d*)(?:\[(\w+)\])?$`)

// An itemType is a NumPy dtype of a single value.
type itemType struct {
	order binary.ByteOrder
	kind  byte
	size  int
	unit  string
}

func parseType(s string) (itemType, bool) {
	m := plainType.FindStringSubmatch(strings.Trim(s, `'"`))
	if m == nil {
		return itemType{}, false
	}
	t := itemType{order: binary.LittleEndian, kind: m[2][0], unit: m[4]}
	if m[1] == ">" {
		t.order = binary.BigEndian
	}
	t.size, _ = strconv.Atoi(m[3])
	if t.kind == 'U' {
		t.size *= 4
	}
	return t, true
}

func (t itemType) float(b []byte) float64 {
	if len(b) == 4 {
		return float64(math.Float32frombits(t.order.Uint32(b)))
	}
	return math.Float64frombits(t.order.Uint64(b))
}

// uint returns b as an unsigned number.
func (t itemType) uint(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(t.order.Uint16(b))
	case 4:
		return uint64(t.order.Uint32(b))
	}
	return t.order.Uint64(b)
}

func (t itemType) int(b []byte) int64 {
	shift := 64 - 8*len(b)
	return int64(t.uint(b)<<shift) >> shift
}

// value returns the item in b.
func (t itemType) value(b []byte) (any, error) {
	switch t.kind {
	case 'b':
		return b[0] != 0, nil
	case 'i':
		return t.int(b), nil
	case 'u':
		if n := t.uint(b); n > math.MaxInt64 {
			return n, nil
		} else {
			return int64(n), nil
		}
	case 'f':
		if len(b) >= 4 {
			return number(t.float(b)), nil
		}
	case 'c':
		h := len(b) / 2
		return map[string]any{"complex": []any{number(t.float(b[:h])), number(t.float(b[h:]))}}, nil
	case 'S':
		return octets([]byte(strings.TrimRight(string(b), "\x00"))), nil
	case 'U':
		var s strings.Builder
		for ; len(b) >= 4; b = b[4:] {
			s.WriteRune(rune(t.order.Uint32(b)))
		}
		return text(strings.TrimRight(s.String(), "\x00")), nil
	case 'M', 'm':
		name := map[byte]string{'M': "datetime64", 'm': "timedelta64"}[t.kind]
		var n any = t.int(b)
		if n == int64(math.MinInt64) {
			n = nil
		}
		return map[string]any{name: n, "unit": t.unit}, nil
	}
	return nil, fmt.Errorf("no values of type %c%d", t.kind, t.size)
}
