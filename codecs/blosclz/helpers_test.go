package blosclz

import (
	"math/rand/v2"
)

// streams returns random instructions, and the data that they encode.
func streams(seed uint64) (data, stream []byte) {
	r := rand.New(rand.NewPCG(seed, 1))
	size := 1 + r.IntN(1<<(3+seed%15))
	literals := func() {
		n := 1 + r.IntN(maxLiterals)
		stream = append(stream, byte(n-1))
		for range n {
			v := byte(r.Uint32())
			stream, data = append(stream, v), append(data, v)
		}
	}
	for literals(); len(data) < size; {
		if r.IntN(2) == 0 {
			literals()
			continue
		}
		n := minMatch + r.IntN(1<<r.IntN(14))
		distance := 1 + r.IntN(min(len(data), 1<<r.IntN(17)))
		switch {
		case distance == 1 && r.IntN(2) == 0, r.IntN(50) == 0:
			n += 300
		}
		stream = appendMatch(stream, n, distance)
		for range n {
			data = append(data, data[len(data)-distance])
		}
	}
	literals()
	stream[0] |= literalMarker
	return data, stream
}

func appendMatch(b []byte, n, distance int) []byte {
	d := distance - 1
	c := min(n-minMatch+1, longLength)
	high := min(d>>8, 31)
	if d >= shortDistance {
		high = 31
	}
	b = append(b, byte(c<<5|high))
	if c == longLength {
		rest := n - minMatch + 1 - longLength
		for ; rest >= 255; rest -= 255 {
			b = append(b, 255)
		}
		b = append(b, byte(rest))
	}
	if d < shortDistance {
		return append(b, byte(d))
	}
	d -= shortDistance
	return append(b, 255, byte(d>>8), byte(d))
}
