package codecs_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

func TestRegisterTwice(t *testing.T) {
	factory := maker(t, blosc2.CodecLZ4)
	for _, c := range []struct {
		id   blosc2.CodecID
		name string
		make func() codecs.Codec
	}{
		{blosc2.CodecLZ4, "another", factory},
		{200, "lz4", factory},
		{200, "LZ4", factory},
		{200, "", factory},
		{200, "nothing", nil},
	} {
		if err := codecs.Register(c.id, c.name, c.make); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("Register(%d, %q): error %v, want blosc2.ErrOption", c.id, c.name, err)
		}
	}
	if codecs.Registered(200) {
		t.Error("a codec that was refused is registered")
	}
}

// Register rejects invalid codecs, with an error that says why.
func TestRegisterRefused(t *testing.T) {
	for _, c := range []struct {
		id   blosc2.CodecID
		name string
		make func() codecs.Codec
		want string
	}{
		{200, "named", nil, "codec factory"},
		{200, "", func() codecs.Codec { return named{200, ""} }, "codec name"},
		{200, "a b", func() codecs.Codec { return named{200, "a b"} }, "codec name"},
		{200, "a,b", func() codecs.Codec { return named{200, "a,b"} }, "codec name"},
		{200, "a:b", func() codecs.Codec { return named{200, "a:b"} }, "codec name"},
		{200, "a\n", func() codecs.Codec { return named{200, "a\n"} }, "codec name"},
		{7, "named", func() codecs.Codec { return named{7, "named"} }, "codec id"},
		{31, "named", func() codecs.Codec { return named{31, "named"} }, "codec id"},
		{159, "named", func() codecs.Codec { return named{159, "named"} }, "codec id"},
		{77, "codec 77", func() codecs.Codec { return named{77, "codec 77"} }, "codec name"},
		{blosc2.CodecGrok, "named", func() codecs.Codec { return named{blosc2.CodecGrok, "named"} }, "codec id"},
		{200, "named", func() codecs.Codec { return nil }, "codec factory"},
		{200, "named", func() codecs.Codec { return named{201, "named"} }, "codec"},
		{200, "named", func() codecs.Codec { return named{200, "other"} }, "codec"},
	} {
		var oe *blosc2.OptionError
		if err := codecs.Register(c.id, c.name, c.make); !errors.As(err, &oe) || oe.Option != c.want {
			t.Errorf("Register(%d, %q): %v, want an error about the %s", c.id, c.name, err, c.want)
		}
	}
	// A codec that the format defines and this package lacks may be added.
	name := blosc2.CodecGrok.String()
	if err := codecs.Register(blosc2.CodecGrok, name, func() codecs.Codec { return named{blosc2.CodecGrok, name} }); err != nil {
		t.Error(err)
	}
	codecs.Forget(blosc2.CodecGrok)
}

// A named is a codec of any id and name.
type named struct {
	id   blosc2.CodecID
	name string
}

func (c named) ID() blosc2.CodecID                                 { return c.id }
func (c named) Name() string                                       { return c.name }
func (named) Encode(_, _ []byte, _ codecs.Params) (int, error)     { return 0, nil }
func (named) Decode(dst, src []byte, _ codecs.Params) (int, error) { return copy(dst, src), nil }

func TestUnsupported(t *testing.T) {
	for id, name := range map[blosc2.CodecID]string{blosc2.CodecOpenHTJ2K: "openhtj2k", blosc2.CodecGrok: "grok", blosc2.CodecOpenZL: "openzl", 77: "codec 77"} {
		c, err := codecs.New(id)
		if c != nil || !errors.Is(err, blosc2.ErrUnsupported) || !strings.Contains(err.Error(), name) {
			t.Errorf("New(%d): %v, error %v, want blosc2.ErrUnsupported that names %s", id, c, err, name)
		}
	}
}

func TestRegistered(t *testing.T) {
	ids := codecs.IDs()
	if !slices.IsSorted(ids) {
		t.Errorf("not in order: %v", ids)
	}
	for _, id := range general {
		if !slices.Contains(ids, id) || !codecs.Registered(id) {
			t.Errorf("%s is not registered", id)
		}
		c := maker(t, id)()
		if c.ID() != id || c.Name() != id.String() {
			t.Errorf("New(%d) is codec %d, %q", id, c.ID(), c.Name())
		}
		if got, ok := codecs.ByName(strings.ToUpper(id.String())); !ok || got != id {
			t.Errorf("ByName(%q) is %d, %v", strings.ToUpper(id.String()), got, ok)
		}
	}
	if id, ok := codecs.ByName("no such codec"); ok {
		t.Errorf("ByName of nothing is %d", id)
	}
}
