package chunk_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// TestDictionaries writes chunks with dictionaries for both genuine libraries, and reads
// those that they wrote: with zstd and, since 3.0, with lz4 and lz4hc.
func TestDictionaries(t *testing.T) {
	two, three := newGenuine(t, 2), newGenuine(t, 3)
	var d chunk.Decoder
	used, theirs := 0, 0
	for k, p := range []chunk.Params{
		{BlockSize: 2000, TypeSize: 1},
		{BlockSize: 1000, TypeSize: 4, Filters: pipeline(t, "shuffle")},
		{BlockSize: 4096, TypeSize: 8, Filters: pipeline(t, "bitshuffle")},
		{BlockSize: 512, TypeSize: 2, Filters: pipeline(t, "delta,shuffle")},
		{TypeSize: 1},
	} {
		for _, n := range []int{100, 5000, 40000, 300000} {
			p.Codec, p.Level, p.Dict, p.Split = blosc2.CodecZstd, 1+2*k, true, blosc2.SplitForward
			src := records(n)
			what := fmt.Sprintf("%+v, %d bytes", p, n)
			ours := encode(t, p, src)
			h, err := chunk.ParseHeader(ours)
			if err != nil {
				t.Fatal(err)
			}
			if h.HasDict() {
				used++
			}
			if got, err := d.Decode(nil, ours); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s: we decode %d bytes, %v", what, len(got), err)
			}
			for _, g := range []genuine{two, three} {
				if got, err := g.decompress(t, ours); err != nil || !bytes.Equal(got, src) {
					t.Errorf("%s: C-Blosc2 %d decodes %d bytes, %v", what, g.Major, len(got), err)
				}
			}
			for _, id := range []blosc2.CodecID{blosc2.CodecZstd, blosc2.CodecLZ4, blosc2.CodecLZ4HC} {
				p.Codec = id
				c, err := three.compress(t, p, src)
				if err != nil {
					t.Errorf("%s: %s: %v", what, id, err)
					continue
				}
				if h, err := chunk.ParseHeader(c); err == nil && h.HasDict() {
					theirs++
				}
				if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, src) {
					t.Errorf("%s: %s of C-Blosc2: we decode %d bytes, %v", what, id, len(got), err)
				}
				testBlocksOf(t, what, &d, c, src)
			}
		}
	}
	if used < 8 || theirs < 8 {
		t.Errorf("only %d of ours and %d of theirs had a dictionary", used, theirs)
	}
	t.Logf("%d of ours and %d of theirs had a dictionary", used, theirs)
}

// TestDictionarySaves compares sizes with and without a dictionary, for blocks so small
// that there are few repetitions within each.
func TestDictionarySaves(t *testing.T) {
	p := chunk.Params{Codec: blosc2.CodecZstd, Level: 3, TypeSize: 1, BlockSize: 500}
	src := records(200000)
	without := len(encode(t, p, src))
	p.Dict = true
	with := len(encode(t, p, src))
	t.Logf("%d bytes without, %d with dictionary", without, with)
	if with > without*80/100 {
		t.Errorf("%d bytes without dictionary, %d with one", without, with)
	}
}

// TestDictionaryOfVLBlocks compares sizes with and without a dictionary for blocks
// of variable length.
func TestDictionaryOfVLBlocks(t *testing.T) {
	g := newGenuine(t, 3)
	src := records(50000)
	blocks := bytes.SplitAfter(src, []byte("\n"))
	e, err := chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecZstd, Level: 3, TypeSize: 1, Dict: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.EncodeBlocks(nil, blocks)
	if err != nil {
		t.Fatal(err)
	}
	if h, err := chunk.ParseHeader(c); err != nil || !h.HasDict() {
		t.Errorf("no dictionary: %v", err)
	}
	var d chunk.Decoder
	checkBlocks(t, "records", &d, c, blocks)
	if got, err := g.decompress(t, c); err != nil || !bytes.Equal(got, src) {
		t.Errorf("C-Blosc2 decodes %d bytes, %v", len(got), err)
	}
}

// TestFaultyDictionary reads the chunk that C-Blosc2 makes of incompressible bytes
// if a dictionary is requested: memcpyed, but marked as having one, which C-Blosc2
// itself cannot read (docs/format/chunk.md T3).
func TestFaultyDictionary(t *testing.T) {
	g := newGenuine(t, 3)
	src := mixed(100000, 1, 2, newRand(1))[100000:]
	var d chunk.Decoder
	c, err := g.compress(t, chunk.Params{Codec: blosc2.CodecZstd, Level: 5, TypeSize: 1, Dict: true, Split: blosc2.SplitForward, BlockSize: 100}, src)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, src) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	// The first case may not have the fault, because the oracle's buffer is larger than a
	// chunk needs. So set the flag here.
	c = encode(t, chunk.Params{TypeSize: 1}, src)
	c[31] |= 1
	if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, src) {
		t.Errorf("marked: %d bytes, %v", len(got), err)
	}
}
