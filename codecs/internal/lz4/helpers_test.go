package lz4

import (
	"math/rand/v2"

	"github.com/pierrec/lz4/v4"
)

// blocks returns data of runs, repetitions at all distances and noise, and the
// blocks of pierrec's encoder for them.
func blocks(seed uint64) (data, block []byte) {
	r := rand.New(rand.NewPCG(seed, 1))
	data = make([]byte, 0, 1<<17)
	size := 1 + r.IntN(1<<(3+seed%14))
	for len(data) < size {
		n := min(1+r.IntN(1<<r.IntN(13)), size-len(data))
		if len(data) == 0 || r.IntN(3) == 0 {
			for range n {
				data = append(data, byte(r.Uint32())>>(r.IntN(8)))
			}
			continue
		}
		distance := 1 + r.IntN(min(len(data), 1<<r.IntN(17)))
		for range n {
			data = append(data, data[len(data)-distance])
		}
	}
	block = make([]byte, lz4.CompressBlockBound(size))
	n, err := (&lz4.CompressorCCompat{}).CompressBlock(data, block)
	if err != nil {
		panic(err)
	}
	return data, block[:n]
}
