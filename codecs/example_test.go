package codecs_test

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// ones is a private codec for streams that are mostly zeros: a bitmap of the
// nonzero bytes, then these bytes.
type ones struct{}

func (ones) ID() blosc2.CodecID { return 201 }
func (ones) Name() string       { return "ones" }

func (ones) Encode(dst, src []byte, _ codecs.Params) (int, error) {
	n := (len(src) + 7) / 8
	if n > len(dst) {
		return 0, nil // the stream is stored raw
	}
	clear(dst[:n])
	for i, v := range src {
		if v == 0 {
			continue
		}
		if n == len(dst) {
			return 0, nil
		}
		dst[i/8] |= 1 << (i % 8)
		dst[n] = v
		n++
	}
	return n, nil
}

func (ones) Decode(dst, src []byte, _ codecs.Params) (int, error) {
	n := (len(dst) + 7) / 8
	if n > len(src) {
		return 0, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "ones: bitmap is cut off")
	}
	values := src[n:]
	for i := range dst {
		dst[i] = 0
		if src[i/8]>>(i%8)&1 == 0 {
			continue
		}
		if len(values) == 0 {
			return i, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "ones: a value is missing")
		}
		dst[i], values = values[0], values[1:]
	}
	if len(values) > 0 || len(dst)%8 != 0 && src[n-1]>>(len(dst)%8) != 0 {
		return 0, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "ones: stream is longer than the block")
	}
	return len(dst), nil
}

// A private codec has an id of 160 or more.
func ExampleRegister() {
	if err := codecs.Register(201, "ones", func() codecs.Codec { return ones{} }); err != nil {
		fmt.Println(err)
		return
	}
	id, _ := codecs.ByName("ones")
	c, err := codecs.New(id)
	if err != nil {
		fmt.Println(err)
		return
	}
	src := make([]byte, 64)
	src[3], src[40] = 7, 9
	stream := make([]byte, len(src))
	n, _ := c.Encode(stream, src, codecs.Params{})

	back := make([]byte, len(src))
	_, err = c.Decode(back, stream[:n], codecs.Params{})
	fmt.Println(n, err, bytes.Equal(src, back))

	_, err = codecs.New(202)
	fmt.Println(err)
	// Output:
	// 10 <nil> true
	// blosc2: unsupported: codec 202
}
