package filters

import (
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		spec, canonical string
		ids             [Slots]blosc2.FilterID
		metas           [Slots]uint8
	}{
		{"", "none", [Slots]blosc2.FilterID{}, [Slots]uint8{}},
		{"none", "none", [Slots]blosc2.FilterID{}, [Slots]uint8{}},
		{"Shuffle", "shuffle", [Slots]blosc2.FilterID{5: 1}, [Slots]uint8{}},
		{"delta,shuffle:4", "delta,shuffle:4", [Slots]blosc2.FilterID{0: 3, 5: 1}, [Slots]uint8{5: 4}},
		{"none, trunc_prec:-8 ,2", "none,trunc_prec:248,bitshuffle", [Slots]blosc2.FilterID{1: 4, 5: 2}, [Slots]uint8{1: 248}},
		{"delta,none", "delta,none", [Slots]blosc2.FilterID{0: 3}, [Slots]uint8{}},
		{"1,2,3,35,36:1,1", "shuffle,bitshuffle,delta,bytedelta,int_trunc:1,shuffle", [Slots]blosc2.FilterID{1, 2, 3, 35, 36, 1}, [Slots]uint8{4: 1}},
	} {
		p, err := Parse(c.spec)
		if err != nil || p.IDs != c.ids || p.Metas != c.metas || p.String() != c.canonical {
			t.Errorf("%q: %v (%s), %v; want %s", c.spec, p, p, err, c.canonical)
		}
	}
	for _, spec := range []string{"shuffel", "shuffle,", "shuffle:", "shuffle:256", "shuffle:-129", "shuffle:x", "1,1,1,1,1,1,1", "256", "-1"} {
		if _, err := Parse(spec); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%q: %v", spec, err)
		}
	}
	if _, err := Parse("99"); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("99: %v", err)
	}
}
