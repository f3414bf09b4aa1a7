package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// made returns data that compress to between a 10th and a 200th of their size. Real
// files show the time that codecs take for literals and matches. They hardly show the
// time that codecs and filters take for every byte, whatever it contains.
func made() []dataset {
	const n = 2 << 20
	rnd := rand.New(rand.NewPCG(7, 14))
	fill := func(width int, item func(i int) uint64) []byte {
		b := make([]byte, 0, n+8)
		for i := range n / width {
			b = binary.LittleEndian.AppendUint64(b, item(i))[:(i+1)*width]
		}
		return b
	}
	// run returns a function that returns the same item for about length calls and then
	// draws a new one.
	run := func(length float64, draw func() uint64) func(int) uint64 {
		left, item := 0, uint64(0)
		return func(int) uint64 {
			if left--; left < 0 {
				left, item = int(rnd.ExpFloat64()*length), draw()
			}
			return item
		}
	}
	var clock uint64 = 1_700_000_000
	ticks := func(int) uint64 {
		if clock++; rnd.Float64() < 0.002 {
			clock += rnd.Uint64N(3600)
		}
		return clock
	}
	burst := run(4000, func() uint64 { return rnd.Uint64N(8) })
	idle := func(i int) uint64 {
		if burst(i) > 0 {
			return 0
		}
		return uint64(int64(rnd.NormFloat64() * 50))
	}
	const side = 1448 // side of a square image
	disc := func(i int) uint64 {
		y, x := float64(i/side), float64(i%side)
		if math.Sin(x/97+y/311)*math.Sin(y/83)+math.Sin(x/29)/3 > 0.5 {
			return 1
		}
		return 0
	}
	return []dataset{
		{name: "made-image.u1", typesize: 1, bytes: fill(1, disc)},
		{name: "made-flags.u1", typesize: 1, bytes: fill(1, run(150, func() uint64 { return rnd.Uint64N(3) }))},
		{name: "made-labels.u2", typesize: 2, bytes: fill(2, run(60, func() uint64 { return rnd.Uint64N(500) }))},
		{name: "made-idle.i2", typesize: 2, bytes: fill(2, idle)},
		{name: "made-steps.f4", typesize: 4, bytes: fill(4, run(80, func() uint64 {
			return uint64(math.Float32bits(float32(math.Round(200+rnd.NormFloat64()*30) / 10)))
		}))},
		{name: "made-ticks.i8", typesize: 8, bytes: fill(8, ticks)},
	}
}
