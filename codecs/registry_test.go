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
