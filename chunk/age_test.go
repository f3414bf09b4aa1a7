package chunk_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestAge checks that a Decoder with an Age applies the rule of bitshuffle of that time
// to the last block of a chunk of version 4. Each genuine chunk of 2019 and 2021 decodes
// correctly only by the rule of its time. The same holds for noise, for which guessing
// the rule fails.
func TestAge(t *testing.T) {
	ages := map[string]chunk.Age{
		"generation-chunks/2019-08-19-e87dd0af/bitshuffle-odd.cdata": chunk.AgeOld,
		"generation-chunks/2021-01-19-g202101/bitshuffle-odd.cdata":  chunk.AgeNew,
	}
	found := 0
	for _, e := range b2test.Corpus(t) {
		right, ok := ages[e.Path]
		if !ok {
			continue
		}
		found++
		var read [3][]byte
		for age := chunk.AgeUnknown; age <= chunk.AgeNew; age++ {
			d := chunk.Decoder{Age: age}
			got, err := d.Decode(nil, e.Bytes(t))
			if err != nil {
				t.Fatal(err)
			}
			read[age] = got
		}
		e.Check(t, read[right])
		if bytes.Equal(read[chunk.AgeOld], read[chunk.AgeNew]) {
			t.Errorf("%s: the ages read it alike", e.Path)
		}
	}
	if found != len(ages) {
		t.Errorf("%d of %d chunks are in the corpus", found, len(ages))
	}

	noise, err := b2test.Formula("noise(20004,5)")
	if err != nil {
		t.Fatal(err)
	}
	p := chunk.Params{Codec: blosc2.CodecZlib, Level: 5, TypeSize: 4, Format: chunk.Beta}
	p.Filters.IDs[5] = blosc2.FilterBitShuffle
	for n := 20004 - 4*16; n <= 20004; n += 4 {
		src := append(make([]byte, 1000), noise[:n-1000]...) // the zeros compress, so it is not stored
		enc, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		c, err := enc.Encode(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		d := chunk.Decoder{Age: chunk.AgeOld}
		if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%d bytes of noise come back otherwise, %v", n, err)
		}
	}
}
