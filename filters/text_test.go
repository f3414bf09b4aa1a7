package filters

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// Every pipeline of registered filters is formatted as text that parses to the same
// pipeline.
func TestPipelineText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := append(All(), nil)
	for range 10_000 {
		var p Pipeline
		for i := range p.IDs {
			if f := all[r.IntN(len(all))]; f != nil {
				p.IDs[i], p.Metas[i] = f.ID(), uint8(r.IntN(2)*r.IntN(256))
			}
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var again Pipeline
		if err := json.Unmarshal(text, &again); err != nil || again != p {
			t.Fatalf("%v as %s: %v, %v", p, text, again, err)
		}
	}
	p := Default()
	var oe *blosc2.OptionError
	if err := p.UnmarshalText([]byte("shuffel")); !errors.As(err, &oe) || !strings.Contains(oe.Range, "shuffle, bitshuffle, delta") || p != Default() {
		t.Error(p, err)
	}
	if err := p.UnmarshalText([]byte("delta,trunc_prec:10,shuffle")); err != nil || p.LogValue().String() != "delta,trunc_prec:10,shuffle" {
		t.Error(p, err)
	}
}
