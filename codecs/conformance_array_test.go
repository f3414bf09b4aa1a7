package codecs_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
)

func TestLizardConformance(t *testing.T) {
	codectest.Run(t, maker(t, blosc2.CodecLizard), codectest.Options{})
}

func FuzzLizard(f *testing.F) { fuzz(f, blosc2.CodecLizard) }

// blocks2D adapts the suite to ndlz: whole blocks of one shape.
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

// TestZFPConformance tests the whole interface of the lossy codec with the
// parameters that keep every bit plane; Same tolerates differences in the last
// bits.
func TestZFPConformance(t *testing.T) {
	o := codectest.Options{
		Params:  []codecs.Params{{Level: 5, TypeSize: 4, Meta: 255, BlockShape: []int32{20, 31}, WholeBlock: true}},
		Lengths: []int{20 * 31 * 4},
		Same:    sameFloats,
	}
	codectest.Run(t, maker(t, blosc2.CodecZFPPrec), o)
}

// sameFloats reports whether float32 numbers differ by no more than zfp's transform
// loses: some of the last bits, relative to the greatest number, and all numbers below
// 2^-119.
func sameFloats(data, back []byte, _ codecs.Params) bool {
	top, worst := 0.0, 0.0
	for i := 0; i < len(data); i += 4 {
		x := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:])))
		y := float64(math.Float32frombits(binary.LittleEndian.Uint32(back[i:])))
		top, worst = max(top, math.Abs(x)), max(worst, math.Abs(x-y))
	}
	return len(data) == len(back) && worst <= max(top/(1<<22), 0x1p-119)
}
