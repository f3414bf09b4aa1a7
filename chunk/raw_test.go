package chunk_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Blocks that the codec cannot make shorter are complete in the chunk. That must not
// depend on how many of them precede the first block that becomes shorter, or on the
// contents of the destination's memory.
func TestRawBlocks(t *testing.T) {
	const block, blocks = 4 << 10, 9
	r := newRand(77)
	for _, id := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecBloscLZ, blosc2.CodecZlib} {
		for k, list := range losslessPipelines {
			for _, typeSize := range []int{1, 4} {
				p := chunk.Default()
				p.Codec, p.TypeSize, p.BlockSize = id, typeSize, block
				p.Split = blosc2.SplitMode(k % 5)
				p.Filters = pipeline(t, list)
				e, err := chunk.NewEncoder(p)
				if err != nil {
					t.Fatal(err)
				}
				other, err := chunk.NewEncoder(p)
				if err != nil {
					t.Fatal(err)
				}
				for first := 1; first <= blocks; first++ {
					src := make([]byte, blocks*block+block/2)
					for i := range src {
						src[i] = byte(r.Uint32())
					}
					if first < blocks { // otherwise no block becomes shorter
						kind := src[first*block:][:block]
						for i := range kind {
							kind[i] = byte(i / 64 * (first % 3)) // constant, or growing slowly
						}
					}
					what := fmt.Sprintf("%s, %q, typesize %d, split %v, %d blocks of noise", id, list, typeSize, p.Split, first)
					want := encodeOver(t, e, 0xaa, src)
					if got := encodeOver(t, e, 0x55, src); !bytes.Equal(got, want) {
						t.Fatalf("%s: what was in memory before is in the chunk", what)
					}
					back, err := new(chunk.Decoder).Decode(nil, want)
					if err != nil || !bytes.Equal(back, src) {
						t.Fatalf("%s: other data, %v", what, err)
					}
					team := &helpers{r: r, first: e, others: []*chunk.Encoder{other}}
					if got, err := e.EncodeShared(nil, src, team.recruit, team.Wait); err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%s: with a helper %d bytes instead of %d, %v", what, len(got), len(want), err)
					}
				}
			}
		}
	}
}

// encodeOver encodes src into memory in which every byte is v.
func encodeOver(t *testing.T, e *chunk.Encoder, v byte, src []byte) []byte {
	t.Helper()
	dst := bytes.Repeat([]byte{v}, chunk.Bound(len(src)))
	c, err := e.Encode(dst[:0], src)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
