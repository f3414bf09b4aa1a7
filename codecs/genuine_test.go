package codecs_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Streams are passed to and from the genuine library in chunks without filters, one
// unsplit block for each stream; the chunk's bytes are built by hand here
// (docs/format/chunk.md §1, §3).

// testBlocks returns blocks of n bytes of every shape.
func testBlocks(n int, variants uint64) [][]byte {
	var blocks [][]byte
	for seed := range variants {
		for _, s := range codectest.Shapes() {
			blocks = append(blocks, s.Seeded(n, seed+1))
		}
	}
	return blocks
}

// Our blosclz and lz4 produce the same bytes as C-Blosc2.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode: many runs of the oracle")
	}
	all := []int{32, 33, 65, 66, 67, 90, 127, 256, 500, 1000, 4096, 10000, 65535, 65536, 65548, 150001}
	for _, lib := range b2test.Oracles(t) {
		lengths := all
		if lib.Major == 2 {
			lengths = []int{67, 1000, 65536}
		}
		for _, id := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4} {
			compared, compressed := 0, 0
			c := maker(t, id)()
			for _, n := range lengths {
				variants := uint64(12)
				if n > 5000 {
					variants = 2
				}
				blocks := testBlocks(n, variants)
				for level := 1; level <= 9; level++ {
					for i, want := range genuineStreams(t, lib, id, level, blocks) {
						if run(blocks[i]) {
							continue
						}
						dst, ours := make([]byte, n), level
						if id == blosc2.CodecLZ4 && lib.Major == 2 {
							ours = 9 // C-Blosc2 2.17.1 encodes every level like 9
						}
						m, err := c.Encode(dst, blocks[i], codecs.Params{Level: ours})
						if err != nil {
							t.Fatal(err)
						}
						if m == n {
							m = 0
						}
						if !bytes.Equal(dst[:m], want) {
							t.Errorf("%s level %d, %d bytes, block %d: %d bytes, C-Blosc2 %d.x has %d", id, level, n, i, m, lib.Major, len(want))
						}
						compared++
						if m > 0 {
							compressed++
						}
					}
				}
			}
			t.Logf("%s: %d streams compared with C-Blosc2 %d.x, %d of them compressed", id, compared, lib.Major, compressed)
			if compared < 280*len(lengths) || compressed < 100*len(lengths) {
				t.Error("too few")
			}
		}
	}
}

// C-Blosc2 reads our streams, and this package reads those of C-Blosc2.
func TestGenuineRoundTrip(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		for id := range formats {
			c, read, written := maker(t, id)(), 0, 0
			for _, n := range []int{40, 5000, 140000} {
				blocks := testBlocks(n, 1)
				for _, level := range []int{1, 5, 9} {
					streams := make([][]byte, len(blocks))
					for i, b := range blocks {
						dst := make([]byte, n)
						m, err := c.Encode(dst, b, codecs.Params{Level: level})
						if err != nil {
							t.Fatal(err)
						}
						if m == 0 || m == n {
							streams[i] = b
						} else {
							streams[i] = dst[:m]
							written++
						}
					}
					if !bytes.Equal(genuineDecode(t, lib, id, n, streams, nil), bytes.Join(blocks, nil)) {
						t.Errorf("%s level %d, %d bytes: C-Blosc2 %d.x reads something else", id, level, n, lib.Major)
					}
					for i, s := range genuineStreams(t, lib, id, level, blocks) {
						if s == nil {
							continue
						}
						back := make([]byte, n)
						if _, err := c.Decode(back, s, codecs.Params{}); err != nil || !bytes.Equal(back, blocks[i]) {
							t.Errorf("%s level %d, %d bytes, block %d: wrong bytes or error %v", id, level, n, i, err)
						}
						read++
					}
				}
			}
			if read < 40 || written < 40 {
				t.Errorf("%s: %d streams read and %d written, too few", id, read, written)
			}
		}
	}
}
