package filters_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// The output of genuine shuffle filters, without chunks around it, is compared with ours
// in both directions.
func TestCorpus(t *testing.T) {
	count := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "filtered" {
			continue
		}
		coded := e.Bytes(t)
		p, prm := mustParse(t, e.Filter), filters.Params{TypeSize: e.TypeSize}
		plain := make([]byte, len(coded))
		if err := p.Backward(plain, nil, coded, prm); err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		e.Check(t, plain)
		again, err := p.Forward(make([]byte, len(plain)), nil, plain, prm)
		if err != nil || !bytes.Equal(again, coded) {
			t.Errorf("%s: filtered again to something else, %v", e.Path, err)
		}
		count++
	}
	if count == 0 {
		t.Error("no filtered file")
	}
	t.Logf("%d files", count)
}
