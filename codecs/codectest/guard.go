package codectest

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2/codecs"
)

const guardLen = 64

// A guarded slice has bytes before and after it that must not change. Those after
// it are within its capacity.
type guarded struct{ all []byte }

func guard(n int) guarded {
	g := guarded{make([]byte, n+2*guardLen)}
	fill(g.all, 0xc3)
	return g
}

func (g guarded) bytes() []byte { return g.all[guardLen : len(g.all)-guardLen] }

func (g guarded) check() error {
	for i, v := range g.all {
		if inside := i >= guardLen && i < len(g.all)-guardLen; !inside && v != 0xc3 {
			return fmt.Errorf("wrote outside the destination of %d bytes, at %d", len(g.all)-2*guardLen, i-guardLen)
		}
	}
	return nil
}

// encode calls c.Encode with a guarded destination of room bytes and checks what
// every call must satisfy.
func encode(c codecs.Codec, data []byte, room int, p codecs.Params) ([]byte, error) {
	dst, before := guard(room), bytes.Clone(data)
	n, err := c.Encode(dst.bytes(), data, p)
	if err != nil {
		return nil, fmt.Errorf("encode into %d bytes: %w", room, err)
	}
	if n < 0 || n > room {
		return nil, fmt.Errorf("encode into %d bytes returned a length of %d", room, n)
	}
	if err := dst.check(); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	if !bytes.Equal(before, data) {
		return nil, fmt.Errorf("encode changed its source")
	}
	return dst.bytes()[:n], nil
}

// decode calls c.Decode with a guarded destination of n bytes and checks what every call
// must satisfy. Its last result is the codec's error.
func decode(c codecs.Codec, stream []byte, size int, p codecs.Params) (back []byte, broken, err error) {
	dst, before := guard(size), bytes.Clone(stream)
	n, err := c.Decode(dst.bytes(), stream, p)
	if broken := dst.check(); broken != nil {
		return nil, fmt.Errorf("decode: %w", broken), err
	}
	if !bytes.Equal(before, stream) {
		return nil, fmt.Errorf("decode changed its source"), err
	}
	if n < 0 || n > size || err == nil && n != size {
		return nil, fmt.Errorf("decode of %d bytes returned a length of %d and error %v", size, n, err), err
	}
	return dst.bytes(), nil, err
}

// bound returns a size that suffices for the output of any reasonable codec.
func bound(n int) int { return n + n/4 + 1024 }

func same(o Options, data, back []byte, p codecs.Params) bool {
	if o.Same != nil {
		return o.Same(data, back, p)
	}
	return bytes.Equal(data, back)
}
