package codecs_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
)

// general are the codecs that take streams of any length and kind.
var general = []blosc2.CodecID{
	blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd,
}

func maker(t testing.TB, id blosc2.CodecID) func() codecs.Codec {
	t.Helper()
	return func() codecs.Codec {
		c, err := codecs.New(id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

func TestConformance(t *testing.T) {
	for _, id := range general {
		t.Run(id.String(), func(t *testing.T) {
			codectest.Run(t, maker(t, id), codectest.Options{})
		})
	}
}

func FuzzBloscLZ(f *testing.F) { fuzz(f, blosc2.CodecBloscLZ) }
func FuzzLZ4(f *testing.F)     { fuzz(f, blosc2.CodecLZ4) }
func FuzzLZ4HC(f *testing.F)   { fuzz(f, blosc2.CodecLZ4HC) }
func FuzzSnappy(f *testing.F)  { fuzz(f, blosc2.CodecSnappy) }
func FuzzZlib(f *testing.F)    { fuzz(f, blosc2.CodecZlib) }
func FuzzZstd(f *testing.F)    { fuzz(f, blosc2.CodecZstd) }

func fuzz(f *testing.F, id blosc2.CodecID) { codectest.Fuzz(f, maker(f, id), codectest.Options{}) }
