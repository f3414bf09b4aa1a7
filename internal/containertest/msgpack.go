package containertest

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// An unpacker reads msgpack.
type unpacker struct{ b []byte }

// unpack returns the single value in b.
func unpack(b []byte) (v any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("msgpack is cut short or damaged: %v", r)
		}
	}()
	u := unpacker{b}
	v, err = u.value()
	if err == nil && len(u.b) > 0 {
		err = fmt.Errorf("%d bytes after the value", len(u.b))
	}
	return v, err
}

func (u *unpacker) take(n int) []byte {
	p := u.b[:n:n]
	u.b = u.b[n:]
	return p
}

func (u *unpacker) uint(n int) uint64 {
	var p [8]byte
	copy(p[8-n:], u.take(n))
	return binary.BigEndian.Uint64(p[:])
}

func (u *unpacker) int(n int) int64 {
	shift := 64 - 8*n
	return int64(u.uint(n)<<shift) >> shift
}

func (u *unpacker) value() (any, error) {
	c := u.take(1)[0]
	switch {
	case c < 0x80:
		return int64(c), nil
	case c < 0x90:
		return u.pairs(int(c & 15))
	case c < 0xa0:
		return u.list(int(c & 15))
	case c < 0xc0:
		return string(u.take(int(c & 31))), nil
	case c >= 0xe0:
		return int64(int8(c)), nil
	}
	switch c {
	case 0xc0:
		return nil, nil
	case 0xc2, 0xc3:
		return c == 0xc3, nil
	case 0xc4, 0xc5, 0xc6:
		return u.take(int(u.uint(1 << (c - 0xc4)))), nil
	case 0xc7, 0xc8, 0xc9:
		n := int(u.uint(1 << (c - 0xc7)))
		return u.ext(n)
	case 0xca:
		return float64(math.Float32frombits(uint32(u.uint(4)))), nil
	case 0xcb:
		return math.Float64frombits(u.uint(8)), nil
	case 0xcc, 0xcd, 0xce, 0xcf:
		n := u.uint(1 << (c - 0xcc))
		if n > math.MaxInt64 {
			return n, nil
		}
		return int64(n), nil
	case 0xd0, 0xd1, 0xd2, 0xd3:
		return u.int(1 << (c - 0xd0)), nil
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
		return u.ext(1 << (c - 0xd4))
	case 0xd9, 0xda, 0xdb:
		return string(u.take(int(u.uint(1 << (c - 0xd9))))), nil
	case 0xdc, 0xdd:
		return u.list(int(u.uint(2 << (c - 0xdc))))
	case 0xde, 0xdf:
		return u.pairs(int(u.uint(2 << (c - 0xde))))
	}
	return nil, fmt.Errorf("no msgpack value begins with %#x", c)
}

func (u *unpacker) list(n int) (any, error) {
	l := []any{}
	for range n {
		v, err := u.value()
		if err != nil {
			return nil, err
		}
		l = append(l, v)
	}
	return l, nil
}

// A pairs is an ordered map that may have keys of any type.
type pairs [][2]any

func (p pairs) get(key string) (any, bool) {
	for _, kv := range p {
		if kv[0] == any(key) {
			return kv[1], true
		}
	}
	return nil, false
}

func (u *unpacker) pairs(n int) (any, error) {
	m := pairs{}
	for range n {
		k, err := u.value()
		if err != nil {
			return nil, err
		}
		v, err := u.value()
		if err != nil {
			return nil, err
		}
		m = append(m, [2]any{k, v})
	}
	return m, nil
}

type ext struct {
	code int8
	data []byte
}

func (u *unpacker) ext(n int) (any, error) {
	code := int8(u.take(1)[0])
	return ext{code, u.take(n)}, nil
}

// show converts a msgpack value to the manifest's form.
func show(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return text(v), nil
	case []byte:
		return octets(v), nil
	case float64:
		return number(v), nil
	case pairs:
		l := []any{}
		for _, kv := range v {
			key, err := show(kv[0])
			if err != nil {
				return nil, err
			}
			value, err := show(kv[1])
			if err != nil {
				return nil, err
			}
			l = append(l, []any{key, value})
		}
		return map[string]any{"map": l}, nil
	case []any:
		name, rest := "", v
		if len(v) > 0 && v[0] == any("__tuple__") {
			name, rest = "tuple", v[1:]
		}
		l := []any{}
		for _, e := range rest {
			value, err := show(e)
			if err != nil {
				return nil, err
			}
			l = append(l, value)
		}
		if name != "" {
			return map[string]any{name: l}, nil
		}
		return l, nil
	case ext:
		switch v.code {
		case 42:
			f, err := openBytes(v.data)
			if err != nil {
				return nil, err
			}
			return frameContent(f)
		case 43:
			m, err := unpack(v.data)
			if err != nil {
				return nil, err
			}
			shown, err := show(m)
			return map[string]any{"ref": shown}, err
		}
		return map[string]any{"ext": []any{int64(v.code), hex.EncodeToString(v.data)}}, nil
	}
	return v, nil
}
