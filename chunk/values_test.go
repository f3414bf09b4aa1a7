package chunk_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// TestValuesBothWays decodes chunks of repeated values with both genuine libraries and
// with ours. Some codecs look for whole repeated values if no filter moves their bytes.
func TestValuesBothWays(t *testing.T) {
	two, three := newGenuine(t, 2), newGenuine(t, 3)
	r := newRand(17)
	var src []byte
	for range 40000 {
		w := r.Uint64N(600) * 0x9e3779b97f4a7c15
		if r.IntN(20) == 0 {
			w = r.Uint64()
		}
		src = binary.LittleEndian.AppendUint64(src, w)
	}
	src = append(src, 1, 2, 3)
	var d chunk.Decoder
	for _, codec := range []blosc2.CodecID{blosc2.CodecLZ4HC, blosc2.CodecZstd} {
		for _, list := range []string{"", "delta"} {
			for _, typesize := range []int{8, 16, 24} {
				for _, level := range []int{1, 5, 9} {
					p := chunk.Params{Codec: codec, Level: level, TypeSize: typesize, BlockSize: 256 << 10, Filters: pipeline(t, list)}
					c := encode(t, p, src)
					if list == "" && len(c) > len(src)/2 {
						t.Errorf("%v %d, typesize %d: %d bytes of %d", codec, level, typesize, len(c), len(src))
					}
					if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, src) {
						t.Errorf("%v %d %q: we decode %d bytes, %v", codec, level, list, len(got), err)
					}
					for _, g := range []genuine{two, three} {
						if got, err := g.decompress(t, c); err != nil || !bytes.Equal(got, src) {
							t.Errorf("%v %d %q: C-Blosc2 %d decodes %d bytes, %v", codec, level, list, g.Major, len(got), err)
						}
					}
				}
			}
		}
	}
}
