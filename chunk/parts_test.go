package chunk_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// TestParts encodes chunks in parts by several encoders and decodes them in
// ranges of whole blocks: the bytes are those of one encoder, for data that
// nearly don't compress too.
func TestParts(t *testing.T) {
	r := newRand(21)
	joined, stored := 0, 0
	for k := range 300 {
		p, n := randomParams(t, r)
		if n == 0 {
			continue
		}
		p.Split = blosc2.SplitMode(k % 5)
		p.Filters = pipeline(t, losslessPipelines[k%len(losslessPipelines)])
		src := mixed(n, max(p.TypeSize, 1), 3, r)[(1+k%2)*n:][:n]
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		first, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		want, err := first.Encode(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		blocks := first.NumBlocks(n)
		var parts []chunk.Part
		for from := 0; from < blocks; {
			other, err := chunk.NewEncoder(p)
			if err != nil {
				t.Fatal(err)
			}
			to := from + 1 + r.IntN(min(5000, blocks-from))
			var part chunk.Part
			if err := other.EncodePart(&part, src, from, to); err != nil {
				t.Fatalf("%s: blocks %d to %d: %v", what, from, to, err)
			}
			parts = append(parts, part)
			from = to
		}
		got, err := first.Join([]byte("before"), src, parts)
		if blocks == 0 {
			if err == nil {
				t.Errorf("%s: joined nothing", what)
			}
			continue
		}
		joined++
		if h, _ := chunk.ParseHeader(want); h.Memcpyed() {
			stored++
		}
		if err != nil || !bytes.Equal(got, append([]byte("before"), want...)) {
			t.Errorf("%s: %d parts make %d bytes, one encoder %d; %v", what, len(parts), len(got)-6, len(want), err)
		}
		if _, err := first.Join(nil, src, parts[1:]); err == nil {
			t.Errorf("%s: joined without the first part", what)
		}
		if err := first.EncodePart(&parts[0], src, 0, blocks+1); err == nil {
			t.Errorf("%s: a block too much", what)
		}
	}
	t.Logf("%d chunks joined, %d stored", joined, stored)
	if joined < 100 || stored < 20 || stored > joined {
		t.Errorf("%d chunks joined, %d stored: not what this test is about", joined, stored)
	}
}
