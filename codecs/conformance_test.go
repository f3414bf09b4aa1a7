package codecs_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
)

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
