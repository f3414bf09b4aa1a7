package filters

import (
	"bytes"
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// invert is a user's filter.
type invert struct{}

func (invert) ID() blosc2.FilterID { return 161 }
func (invert) Name() string        { return "invert" }
func (invert) Lossy() bool         { return false }
func (invert) Check(Params) error  { return nil }
func (invert) Forward(dst, src []byte, _ Params) error {
	for i, c := range src {
		dst[i] = ^c
	}
	return nil
}
func (f invert) Backward(dst, src []byte, p Params) error { return f.Forward(dst, src, p) }

// A named is a filter with any id and name.
type named struct {
	invert
	id   blosc2.FilterID
	name string
}

func (f named) ID() blosc2.FilterID { return f.id }
func (f named) Name() string        { return f.name }

// Register rejects invalid filters, with an error that says why.
func TestRegisterRefused(t *testing.T) {
	for _, c := range []struct {
		f    Filter
		want string
	}{
		{nil, "filter"},
		{named{id: 200}, "filter name"},
		{named{id: 200, name: "a:b"}, "filter name"},
		{named{id: 200, name: "a\tb"}, "filter name"},
		{named{id: 0, name: "none"}, "filter id"},
		{named{id: 5, name: "own"}, "filter id"},
		{named{id: 159, name: "own"}, "filter id"},
		{named{id: 77, name: "filter 77"}, "filter name"},
		{named{id: 200, name: "Shuffle"}, "filter"},
		{named{id: blosc2.FilterDelta, name: "delta"}, "filter"},
	} {
		var oe *blosc2.OptionError
		if err := Register(c.f); !errors.As(err, &oe) || oe.Option != c.want {
			t.Errorf("%+v: %v, want an error about the %s", c.f, err, c.want)
		}
	}
}

func TestRegister(t *testing.T) {
	if err := Register(invert{}); err != nil {
		t.Fatal(err)
	}
	defer registry.known[161].Store(nil)
	if err := Register(invert{}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("again: %v", err)
	}
	for _, bad := range []Filter{shuffleFilter{}, shuffleFilter{builtin{id: 200}}} { // the second has a name with a space
		if err := Register(bad); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%d %q: %v", bad.ID(), bad.Name(), err)
		}
	}
	p, err := Parse("invert,shuffle")
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Forward(make([]byte, 8), make([]byte, 8), unhex("00 01 02 03 04 05 06 07"), Params{TypeSize: 2})
	if err != nil || !bytes.Equal(out, unhex("ff fd fb f9 fe fc fa f8")) {
		t.Errorf("forward: %x, %v", out, err)
	}
}
