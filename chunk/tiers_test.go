package chunk_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestTiers compares the digests of chunks with testdata/tiers.txt, for every typesize
// that has kernels and for others. The digests are the same with all kernels that the
// processor supports, and on every architecture.
func TestTiers(t *testing.T) { b2test.Golden(t, "tiers.txt", *update, tierDigests) }

func tierDigests(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("# filters, codec, typesize, bytes of the chunk, its SHA-256\n")
	for _, spec := range []string{"none", "shuffle", "bitshuffle", "delta", "bytedelta", "shuffle,bytedelta", "delta,shuffle", "trunc_prec:10,shuffle"} {
		pipeline, err := filters.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 2, 3, 4, 7, 8, 12, 16, 17} {
			if strings.HasPrefix(spec, "trunc") && size != 4 && size != 8 {
				continue
			}
			for _, id := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecZstd} {
				e, err := chunk.NewEncoder(chunk.Params{Codec: id, Level: 5, TypeSize: size, Filters: pipeline})
				if err != nil {
					t.Fatal(err)
				}
				src := tierData(size, 70000)
				c, err := e.Encode(nil, src)
				if err != nil {
					t.Fatal(err)
				}
				back, err := new(chunk.Decoder).Decode(nil, c)
				if err != nil || !strings.HasPrefix(spec, "trunc") && !bytes.Equal(back, src) {
					t.Fatalf("%s, %v, typesize %d: does not round-trip: %v", spec, id, size, err)
				}
				sum := sha256.Sum256(c)
				fmt.Fprintf(&text, "%s, %v, %d, %d, %x\n", spec, id, size, len(c), sum[:8])
			}
		}
	}
	return text.String()
}
