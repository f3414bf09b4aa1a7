package codecs_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
)

func TestLizardConformance(t *testing.T) {
	codectest.Run(t, maker(t, blosc2.CodecLizard), codectest.Options{})
}

func FuzzLizard(f *testing.F) { fuzz(f, blosc2.CodecLizard) }

// blocks2D fits the kit to ndlz: whole blocks of one shape.
func blocks2D(side uint8) codectest.Options {
	return codectest.Options{
		Params:  []codecs.Params{{Level: 5, TypeSize: 1, Meta: side, BlockShape: []int32{30, 41}, WholeBlock: true}},
		Lengths: []int{30 * 41},
	}
}

func TestNDLZConformance(t *testing.T) {
	for _, side := range []uint8{4, 8} {
		codectest.Run(t, maker(t, blosc2.CodecNDLZ), blocks2D(side))
	}
}
