package codectest

import (
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// A plain is a correct codec: it writes the length as a sum of bytes, and then the data
// without trailing zeros. A mutant replaces one of its methods.
type plain struct {
	encode func(dst, src []byte) (int, error)
	decode func(dst, src []byte) (int, error)
	name   string
}

func (p *plain) ID() blosc2.CodecID { return 222 }
func (p *plain) Name() string       { return p.name }

func (p *plain) Encode(dst, src []byte, _ codecs.Params) (int, error) {
	if p.encode != nil {
		return p.encode(dst, src)
	}
	return plainEncode(dst, src)
}

func (p *plain) Decode(dst, src []byte, _ codecs.Params) (int, error) {
	if p.decode != nil {
		return p.decode(dst, src)
	}
	return plainDecode(dst, src)
}

const plainHeader = 4

func plainEncode(dst, src []byte) (int, error) {
	body := src
	for len(body) > 0 && body[len(body)-1] == 0 {
		body = body[:len(body)-1]
	}
	n := plainHeader + len(body)
	if n > len(dst) {
		return 0, nil
	}
	size := len(src)
	for i := range plainHeader {
		dst[i] = byte(size >> (8 * i))
	}
	copy(dst[plainHeader:], body)
	return n, nil
}

func plainDecode(dst, src []byte) (int, error) {
	if len(src) < plainHeader || len(src)-plainHeader > len(dst) {
		return 0, errPlain
	}
	size := 0
	for i := range plainHeader {
		size |= int(src[i]) << (8 * i)
	}
	if size != len(dst) {
		return 0, errPlain
	}
	n := copy(dst, src[plainHeader:])
	clear(dst[n:])
	return len(dst), nil
}

var errPlain = blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "plain")

func TestFaultlessCodec(t *testing.T) {
	Run(t, func() codecs.Codec { return &plain{name: "plain"} }, Options{})
}

// Every check finds the codecs that break the property it tests.
func TestMutants(t *testing.T) {
	var kept []byte
	mutants := []struct {
		check, what string
		plain
	}{
		{"identity", "no name", plain{}},
		{"round trip", "loses the last byte", plain{encode: func(dst, src []byte) (int, error) {
			n, err := plainEncode(dst, src)
			if n > plainHeader+40 {
				dst[n-1]++
			}
			return n, err
		}}},
		{"round trip", "writes after the destination", plain{decode: func(dst, src []byte) (int, error) {
			n, err := plainDecode(dst, src)
			if err == nil && cap(dst) > n {
				dst[:n+1][n] = 0
			}
			return n, err
		}}},
		{"round trip", "changes its source", plain{encode: func(dst, src []byte) (int, error) {
			n, err := plainEncode(dst, src)
			clear(src)
			return n, err
		}}},
		{"round trip", "never compresses", plain{encode: func(_, _ []byte) (int, error) { return 0, nil }}},
		{"round trip", "says that it wrote more than there is room for", plain{encode: func(dst, src []byte) (int, error) {
			if len(dst) == len(src) {
				return len(dst) + 1, nil
			}
			return plainEncode(dst, src)
		}}},
		{"small destination", "returns what fits", plain{encode: func(dst, src []byte) (int, error) {
			room := make([]byte, len(src)+plainHeader)
			n, _ := plainEncode(room, src)
			return copy(dst, room[:n]), nil
		}}},
		{"wrong length", "does not compare the length", plain{decode: func(dst, src []byte) (int, error) {
			if len(src) >= plainHeader {
				clear(dst[copy(dst, src[plainHeader:]):])
				return len(dst), nil
			}
			return 0, errPlain
		}}},
		{"wrong length", "returns an error of another kind", plain{decode: func(dst, src []byte) (int, error) {
			if n, err := plainDecode(dst, src); err == nil {
				return n, nil
			}
			return 0, blosc2.ErrClosed
		}}},
		{"truncated", "panics on a short stream", plain{decode: func(dst, src []byte) (int, error) {
			_ = src[plainHeader-1]
			return plainDecode(dst, src)
		}}},
		{"mutated", "trusts the length", plain{decode: func(dst, src []byte) (int, error) {
			if len(src) < plainHeader {
				return 0, errPlain
			}
			size := int(src[0]) | int(src[1])<<8
			return size, nil
		}}},
		{"reuse", "remembers the stream before", plain{encode: func(dst, src []byte) (int, error) {
			n, err := plainEncode(dst, src)
			if n > plainHeader {
				dst[n-1] += byte(len(kept))
				kept = append(kept, 0)
			}
			return n, err
		}}},
		{"reuse", "writes to a destination of before", plain{encode: func(dst, src []byte) (int, error) {
			if len(kept) > 0 {
				kept[0]++
			}
			kept = dst
			return plainEncode(dst, src)
		}}},
		{"allocations", "allocates", plain{decode: func(dst, src []byte) (int, error) {
			kept = make([]byte, len(dst))
			return plainDecode(dst, src)
		}}},
	}
	for _, m := range mutants {
		kept = nil
		if m.what != "no name" {
			m.name = "mutant"
		}
		var err error
		func() {
			defer func() {
				if r := recover(); r != nil {
					err = errPlain
				}
			}()
			for _, c := range Checks() {
				if c.Name == m.check {
					err = c.Run(func() codecs.Codec { p := m.plain; return &p }, Options{Lengths: []int{1, 5, 100, 1000}})
				}
			}
		}()
		if err == nil {
			t.Errorf("%s: a codec that %s passes", m.check, m.what)
		} else {
			t.Logf("%s: %s: %s", m.check, m.what, strings.SplitN(err.Error(), "\n", 2)[0])
		}
	}
}
