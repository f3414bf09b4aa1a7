package meta

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/seed03b80dae/blosc2"
)

// Encode appends v as msgpack, with the encoding that Python's msgpack uses: numbers and
// lengths take the fewest bytes. v may have any type that [Decode] returns. It may also
// be another boolean, number or string, a slice or array, a map with string keys, or a
// pointer, if what it holds can be encoded. Keys of maps are sorted. A slice of bytes is
// encoded as a byte string, a [time.Time] as a timestamp without its zone, a
// [json.RawMessage] as the value of its text. For any other type, and for a value nested
// more than 64 deep, Encode returns a *[blosc2.OptionError].
//
// In vlmetalayers for python-blosc2, keys of maps must be strings or bytes, and older
// releases of it raise an error on an empty list.
func Encode(dst []byte, v any) ([]byte, error) { return encode(dst, v, 0) }

func encode(dst []byte, v any, depth int) (_ []byte, err error) {
	if depth > maxNesting {
		return dst, &blosc2.OptionError{Option: "value", Value: "too deep", Range: fmt.Sprintf("nested at most %d levels deep", maxNesting)}
	}
	switch v := v.(type) {
	case nil:
		return msgp.AppendNil(dst), nil
	case []byte:
		return msgp.AppendBytes(dst, v), tooLong(len(v))
	case time.Time:
		return encode(dst, timestamp(v), depth)
	case Ext:
		return appendExt(dst, v), tooLong(len(v.Data))
	case Map:
		return encodeMap(dst, v, depth)
	case json.RawMessage:
		value, err := ParseJSON(v)
		if err != nil {
			return dst, err
		}
		return encode(dst, value, depth)
	case json.Number:
		value, err := number(v)
		if err != nil {
			return dst, err
		}
		return encode(dst, value, depth)
	}
	return encodeKind(dst, reflect.ValueOf(v), depth)
}

// encodeKind encodes values of all other types according to their kind.
func encodeKind(dst []byte, v reflect.Value, depth int) (_ []byte, err error) {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		return msgp.AppendBool(dst, v.Bool()), nil
	case v.CanInt():
		return appendInt(dst, v.Int()), nil
	case v.CanUint():
		return msgp.AppendUint64(dst, v.Uint()), nil
	case k == reflect.Float32:
		return msgp.AppendFloat32(dst, float32(v.Float())), nil
	case k == reflect.Float64:
		return msgp.AppendFloat64(dst, v.Float()), nil
	case k == reflect.String:
		return msgp.AppendString(dst, v.String()), tooLong(v.Len())
	case k == reflect.Pointer && v.IsNil():
		return msgp.AppendNil(dst), nil
	case k == reflect.Pointer:
		return encode(dst, v.Elem().Interface(), depth+1)
	case (k == reflect.Slice || k == reflect.Array) && v.Type().Elem().Kind() == reflect.Uint8:
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		return msgp.AppendBytes(dst, b), tooLong(len(b))
	case k == reflect.Slice || k == reflect.Array:
		if err := tooLong(v.Len()); err != nil {
			return dst, err
		}
		dst = msgp.AppendArrayHeader(dst, uint32(v.Len()))
		for i := range v.Len() {
			if dst, err = encode(dst, v.Index(i).Interface(), depth+1); err != nil {
				return dst, err
			}
		}
		return dst, nil
	case k == reflect.Map && v.Type().Key().Kind() == reflect.String:
		m := make(Map, 0, v.Len())
		for at := v.MapRange(); at.Next(); {
			m = append(m, Pair{at.Key().String(), at.Value().Interface()})
		}
		slices.SortFunc(m, func(a, b Pair) int { return strings.Compare(a.Key.(string), b.Key.(string)) })
		return encodeMap(dst, m, depth)
	}
	return dst, &blosc2.OptionError{Option: "value of type", Value: v.Type(), Range: "nil, a boolean, number, string, time, or a slice or map with string keys of them"}
}

func encodeMap(dst []byte, m Map, depth int) (_ []byte, err error) {
	if err := tooLong(len(m)); err != nil {
		return dst, err
	}
	dst = msgp.AppendMapHeader(dst, uint32(len(m)))
	for _, p := range m {
		if dst, err = encode(dst, p.Key, depth+1); err != nil {
			return dst, err
		}
		if dst, err = encode(dst, p.Value, depth+1); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendInt appends an integer. Like Python it uses the unsigned forms for numbers that
// are not negative, which msgp does not.
func appendInt(dst []byte, i int64) []byte {
	if i >= 0 {
		return msgp.AppendUint64(dst, uint64(i))
	}
	return msgp.AppendInt64(dst, i)
}

// tooLong returns an error for a length that msgpack cannot hold.
func tooLong(n int) error {
	if uint64(n) > math.MaxUint32 {
		return &blosc2.OptionError{Option: "length of a value", Value: n, Range: "at most 4294967295"}
	}
	return nil
}
