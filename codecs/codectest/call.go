package codectest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/seed03b80dae/blosc2/codecs"
)

// call calls Encode or Decode of a codec with a destination of room bytes, and checks what
// every call must satisfy.
func call(method func(dst, src []byte, p codecs.Params) (int, error), src []byte, room int, p codecs.Params) ([]byte, error) {
	// The bytes before and after the destination must not change. Those after it are
	// within its capacity.
	const margin, mark = 64, 0xc3
	all := bytes.Repeat([]byte{mark}, margin+room+margin)
	dst, before := all[margin:][:room], bytes.Clone(src)
	n, err := method(dst, src, p)
	for i, v := range all {
		if at := i - margin; v != mark && (at < 0 || at >= room) {
			return nil, fmt.Errorf("wrote outside the destination of %d bytes, at %d", room, at)
		}
	}
	if !bytes.Equal(before, src) {
		return nil, errors.New("changed its source")
	}
	if n < 0 || n > room {
		return nil, fmt.Errorf("returned a length of %d and error %v", n, err)
	}
	return dst[:n], err
}

func encode(c codecs.Codec, data []byte, room int, p codecs.Params) ([]byte, error) {
	stream, err := call(c.Encode, data, room, p)
	if err != nil {
		return nil, fmt.Errorf("encode into %d bytes: %w", room, err)
	}
	return stream, nil
}

func decode(c codecs.Codec, stream []byte, size int, p codecs.Params) ([]byte, error) {
	back, err := call(c.Decode, stream, size, p)
	if err == nil && len(back) != size {
		err = fmt.Errorf("returned a length of %d and no error", len(back))
	}
	if err != nil {
		return nil, fmt.Errorf("decode to %d bytes: %w", size, err)
	}
	return back, nil
}

// bound returns a size that suffices for the output of any reasonable codec.
func bound(n int) int { return n + n/4 + 1024 }

// roundTrip encodes data into room bytes, decodes the stream and compares the results. It
// returns the length of the stream, 0 if there is none.
func (o Options) roundTrip(c codecs.Codec, data []byte, room int, p codecs.Params) (int, error) {
	stream, err := encode(c, data, room, p)
	if err != nil || len(stream) == 0 {
		return 0, err
	}
	back, err := decode(c, stream, len(data), p)
	if err != nil {
		return 0, err
	}
	if !o.same(data, back, p) {
		return 0, fmt.Errorf("encoded into %d bytes, decoded to other bytes", room)
	}
	return len(stream), nil
}

func (o Options) same(data, back []byte, p codecs.Params) bool {
	if o.Same != nil {
		return o.Same(data, back, p)
	}
	return bytes.Equal(data, back)
}
