package chunk_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// lagged returns n bytes of records of four numbers. The first is noise; the others are
// those of the records 7, 14 and 21 places before. No plane repeats itself, but planes
// repeat each other.
func lagged(n int) []byte {
	r := newRand(5)
	x := make([]uint32, n/16+22)
	b := make([]byte, 0, n+16)
	for i := range x {
		x[i] = r.Uint32()
		for lag := 0; lag <= 21 && i >= 21; lag += 7 {
			b = binary.LittleEndian.AppendUint32(b, x[i-lag])
		}
	}
	return b[:n]
}

// Zstd splits blocks at every level, except where a trial shows that the planes of a
// chunk repeat each other.
func TestTrialOfSplit(t *testing.T) {
	oracles := []genuine{newGenuine(t, 2), newGenuine(t, 3)}
	split := func(what string, p chunk.Params, src []byte) bool {
		t.Helper()
		encoder := func() *chunk.Encoder {
			e, err := chunk.NewEncoder(p)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		c := encode(t, p, src)
		first := encoder()
		team := &helpers{r: newRand(3), first: first, others: []*chunk.Encoder{encoder(), encoder()}}
		if got, err := first.EncodeShared(nil, src, team.recruit, team.Wait); err != nil || !bytes.Equal(got, c) {
			t.Errorf("%s: with helpers %d bytes, one encoder %d; %v", what, len(got), len(c), err)
		}
		if got, err := new(chunk.Decoder).Decode(nil, c); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s: decoded to other bytes; %v", what, err)
		}
		for _, g := range oracles {
			if got, err := g.decompress(t, c); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s: C-Blosc2 %d decodes to other bytes; %v", what, g.Major, err)
			}
		}
		h, err := chunk.ParseHeader(c)
		if err != nil {
			t.Fatal(err)
		}
		return h.Split()
	}
	for _, n := range []int{256<<10 + 5, 1 << 20} {
		repeated, smooth := lagged(n), payload(n, 4, 9)
		for level := 5; level <= 9; level++ {
			for _, blockSize := range []int{0, 64 << 10} {
				p := chunk.Default()
				p.Codec, p.Level, p.TypeSize, p.BlockSize = blosc2.CodecZstd, level, 16, blockSize
				what := fmt.Sprintf("level %d, %d bytes in blocks of %d", level, n, blockSize)
				if got, want := split(what, p, repeated), level == 5; got != want {
					t.Errorf("%s of lagged numbers: split %v, want %v", what, got, want)
				}
				p.Split = blosc2.SplitAlways
				if !split(what, p, repeated) {
					t.Errorf("%s: not split, although the parameters say always", what)
				}
				p.TypeSize, p.Split = 4, blosc2.SplitDefault
				if !split(what, p, smooth) {
					t.Errorf("%s of smooth numbers: not split", what)
				}
			}
		}
	}
}

// Blocks that zstd splits and C-Blosc2 does not are at least as large as C-Blosc2's:
// repetitions do not extend over the end of a block.
func TestBlockSizeOfSplit(t *testing.T) {
	oracle := newGenuine(t, 3)
	for _, typeSize := range []int{2, 3, 4, 8, 16} {
		src := payload(2<<20, typeSize, 3)
		for level := 6; level <= 9; level++ {
			p := chunk.Default()
			p.Codec, p.Level, p.TypeSize = blosc2.CodecZstd, level, typeSize
			ours := blockSize(t, encode(t, p, src))
			p.Split = blosc2.SplitForward
			theirs, err := oracle.compress(t, p, src)
			if err != nil {
				t.Fatal(err)
			}
			if want := blockSize(t, theirs); ours < want {
				t.Errorf("level %d, items of %d bytes: blocks of %d bytes, C-Blosc2 %d", level, typeSize, ours, want)
			}
		}
	}
}

func blockSize(t *testing.T, c []byte) int {
	t.Helper()
	h, err := chunk.ParseHeader(c)
	if err != nil {
		t.Fatal(err)
	}
	return h.BlockSize
}
