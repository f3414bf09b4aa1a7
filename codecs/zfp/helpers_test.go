package zfp

import (
	"encoding/binary"
	"math"
	"math/rand"
)

// field makes a block of smooth numbers, or of numbers that are difficult for the coder.
func field(rng *rand.Rand, kind int, p Params) []byte {
	n := 1
	for _, d := range p.Shape {
		n *= int(d)
	}
	phase, step := rng.Float64(), rng.Float64()/10
	b := make([]byte, 0, n*p.TypeSize)
	for i := range n {
		var x float64
		switch kind {
		case 0:
			x = math.Sin(phase+step*float64(i)) * 100
		case 1:
			x = rng.NormFloat64()
		case 2:
			x = math.Ldexp(rng.NormFloat64(), rng.Intn(160)-80)
		case 3:
			if i%37 < 20 {
				x = float64(i) * 0.01
			}
		case 4:
			x = math.Trunc(rng.NormFloat64() * 3)
		}
		if p.TypeSize == 4 {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

const (
	kinds  = 5
	blocks = 2 * kinds // number of blocks of an array
)

var shapes = [][]int32{
	{64}, {61}, {250}, {16, 16}, {13, 18}, {4, 35}, {8, 8, 8}, {5, 7, 9}, {6, 4, 11}, {4, 4, 4, 4}, {5, 4, 6, 7}, {4, 8, 5, 9},
}
