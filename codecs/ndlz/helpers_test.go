package ndlz

import (
	"bytes"
	"math/rand"
)

// image makes a block with cells of every kind: uniform cells, rows and cells that repeat
// others, and noise.
func image(rng *rand.Rand, side, rows, cols int) []byte {
	b := make([]byte, rows*cols)
	line := func() []byte {
		l := make([]byte, side)
		rng.Read(l)
		return l
	}
	known := [][]byte{line(), line(), line(), line(), line()}
	for row := 0; row < rows; row += side {
		for col := 0; col < cols; col += side {
			kind, from := rng.Intn(6), rng.Intn(len(known))
			for i := range min(side, rows-row) {
				var l []byte
				switch {
				case kind == 0:
					l = bytes.Repeat([]byte{byte(row)}, side)
				case kind == 1 || rng.Intn(4) == 0:
					l = line()
				case kind == 2:
					l = known[rng.Intn(len(known))]
				default:
					l = known[(from+i)%len(known)]
				}
				copy(b[(row+i)*cols+col:(row+i)*cols+min(col+side, cols)], l)
			}
		}
	}
	return b
}
