package filters

import (
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// TestCheck checks that encoders reject invalid parameters.
func TestCheck(t *testing.T) {
	array := []int32{4, 6}
	for _, c := range []struct {
		spec  string
		p     Params
		legal bool
	}{
		{"shuffle", Params{TypeSize: 255}, true},
		{"trunc_prec:23", Params{TypeSize: 4}, true},
		{"trunc_prec:24", Params{TypeSize: 4}, false},
		{"trunc_prec:0", Params{TypeSize: 4}, false},
		{"trunc_prec:-22", Params{TypeSize: 4}, true},
		{"trunc_prec:-23", Params{TypeSize: 4}, false},
		{"trunc_prec:52", Params{TypeSize: 8}, true},
		{"trunc_prec:10", Params{TypeSize: 2}, false},
		{"int_trunc:8", Params{TypeSize: 1}, true},
		{"int_trunc:9", Params{TypeSize: 1}, false},
		{"int_trunc:0", Params{TypeSize: 8}, false},
		{"int_trunc:-63", Params{TypeSize: 8}, true},
		{"int_trunc:-64", Params{TypeSize: 8}, false},
		{"int_trunc:2", Params{TypeSize: 3}, false},
		{"bytedelta_old", Params{TypeSize: 4}, false},
		{"ndcell:2", Params{TypeSize: 4}, false},
		{"ndcell:0", Params{TypeSize: 4, BlockShape: array}, false},
		{"ndcell:4", Params{TypeSize: 4, BlockShape: array}, true},
		{"ndcell:5", Params{TypeSize: 4, BlockShape: array}, false},
		{"ndcell:2", Params{TypeSize: 4, BlockShape: make([]int32, 9)}, false},
		{"ndmean:4", Params{TypeSize: 4, BlockShape: array}, true},
		{"ndmean:5", Params{TypeSize: 4, BlockShape: array}, false},
		{"ndmean:2", Params{TypeSize: 3, BlockShape: array}, false},
		{"ndmean:-2", Params{TypeSize: 4, BlockShape: array}, false},
		{"trunc_prec:9,delta,shuffle", Params{TypeSize: 4}, false},
		{"delta,trunc_prec:9,shuffle", Params{TypeSize: 4}, true},
		{"delta,delta", Params{TypeSize: 4}, false},
	} {
		p, err := Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(c.p); (err == nil) != c.legal || err != nil && !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s, %+v: %v", c.spec, c.p, err)
		}
	}
	if err := Default().Validate(0); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("typesize 0: %v", err)
	}
	private := Pipeline{IDs: [Slots]blosc2.FilterID{200}}
	_, parsed := Parse("shuffle,200")
	for what, err := range map[string]error{"Validate": private.Validate(4), "Parse": parsed} {
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || !errors.Is(err, blosc2.ErrUnsupported) || err.Error() != "blosc2: filter 200: must be registered" {
			t.Errorf("%s of an unknown filter: %v", what, err)
		}
	}
	for _, err := range []error{private.Validate(4), private.Supported()} {
		if !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("unknown filter: %v", err)
		}
	}
	if _, err := private.Forward(nil, nil, nil, Params{TypeSize: 1}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("unknown filter, forward: %v", err)
	}
	if err := private.Backward(nil, nil, nil, Params{TypeSize: 1}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("unknown filter, backward: %v", err)
	}
}
