package chunk_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestBeta makes the chunks of August 2019 again. Their headers must equal the genuine
// ones, and for codecs that make the same bytes so must whole chunks.
func TestBeta(t *testing.T) {
	same, all := 0, 0
	var d chunk.Decoder
	for _, e := range b2test.Corpus(t) {
		if e.Category != "generation-chunks" || !strings.Contains(e.Path, "/2019-08-") {
			continue
		}
		var asked struct {
			Codec    string
			CLevel   int
			TypeSize int
			Filters  [6][2]int
		}
		if err := json.Unmarshal(e.Parameters, &asked); err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		id, ok := codecs.ByName(asked.Codec)
		if !ok {
			t.Fatalf("%s: codec %s", e.Path, asked.Codec)
		}
		p := chunk.Params{Codec: id, Level: asked.CLevel, TypeSize: asked.TypeSize, Format: chunk.Beta}
		for i, f := range asked.Filters {
			p.Filters.IDs[i], p.Filters.Metas[i] = blosc2.FilterID(f[0]), uint8(f[1])
		}
		theirs := e.Bytes(t)
		h, err := chunk.ParseHeader(theirs)
		if err != nil {
			t.Fatal(err)
		}
		if h.HasDict() {
			continue // package chunk writes dictionaries only in the current format
		}
		src, err := d.Decode(nil, theirs)
		if err != nil {
			t.Fatal(err)
		}
		enc, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		ours, err := enc.EncodeRoom(src, roomOfOracle(len(src)))
		if err != nil {
			t.Fatal(err)
		}
		all++
		if !bytes.Equal(ours[:12], theirs[:12]) || !bytes.Equal(ours[16:32], theirs[16:32]) {
			t.Errorf("%s: header\n% x, theirs\n% x", e.Path, ours[:32], theirs[:32])
		}
		if bytes.Equal(ours, theirs) {
			same++
		} else {
			t.Logf("%s: %d bytes, theirs %d", e.Path, len(ours), len(theirs))
		}
	}
	t.Logf("%d chunks, %d of them byte for byte", all, same)
	if same < 5 {
		t.Errorf("only %d of %d chunks are byte for byte the genuine ones", same, all)
	}
}
