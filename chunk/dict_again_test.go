package chunk_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// An Encoder that has made other chunks makes the same bytes as a new one, for parameters
// with dictionaries too, even if an earlier chunk had the same dictionary.
func TestDictionaryAgain(t *testing.T) {
	data := records(60000)
	for _, level := range []int{1, 6} {
		p := chunk.Params{Codec: blosc2.CodecZstd, Level: level, TypeSize: 8, BlockSize: 4096, Split: blosc2.SplitAlways, Dict: true}
		e, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		var first []byte
		for k := range 4 {
			src := data
			if k == 2 {
				src = data[:30000]
			}
			c, err := e.Encode(nil, src)
			if err != nil {
				t.Fatal(err)
			}
			if h, err := chunk.ParseHeader(c); err != nil || !h.HasDict() {
				t.Fatalf("level %d: no dictionary, %v", level, err)
			}
			switch k {
			case 0:
				first = c
			case 1, 3:
				if !bytes.Equal(c, first) {
					t.Errorf("level %d: chunk %d has %d bytes, the first one of the same data %d, or others", level, k, len(c), len(first))
				}
			}
		}
	}
}
