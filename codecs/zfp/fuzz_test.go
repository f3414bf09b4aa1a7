package zfp

import (
	"bytes"
	"errors"
	"math/rand"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzDecode tries damaged streams and geometries: each returns an error of the
// right kind or fills the output, and nothing is written after it.
func FuzzDecode(f *testing.F) {
	var c Coder
	for i, shape := range shapes {
		p := Params{Mode(i % 3), 20, 4 + 4*(i%2), shape}
		src := field(rand.New(rand.NewSource(1)), i%kinds, p)
		stream := make([]byte, 2*len(src))
		n, err := c.Encode(stream, src, p)
		if err != nil {
			f.Fatal(err)
		}
		dims := [4]int32{}
		copy(dims[:], shape)
		f.Add(stream[:n], len(src), uint8(p.Mode), p.Meta, p.TypeSize, len(shape), dims[0], dims[1], dims[2], dims[3])
	}
	f.Fuzz(func(t *testing.T, stream []byte, size int, mode, meta uint8, typeSize, dims int, a, b, c, d int32) {
		defer b2test.Cost(t)()
		size = min(max(size, 0), 1<<16)
		dst := bytes.Repeat([]byte{0xa5}, size+64)
		p := Params{Mode(mode), meta, typeSize, []int32{a, b, c, d}[:min(max(dims, 0), 4)]}
		var coder Coder
		err := coder.Decode(dst[:size:size+64], stream, p)
		if err != nil && !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrUnsupported) {
			t.Fatalf("error of another kind: %v", err)
		}
		if !bytes.Equal(dst[size:], bytes.Repeat([]byte{0xa5}, 64)) {
			t.Fatal("wrote after the output")
		}
	})
}
