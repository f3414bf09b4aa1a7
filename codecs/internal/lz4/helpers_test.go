package lz4

import (
	"math/rand/v2"
	"testing"

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

// checkEnd checks the "End of block conditions" of the format, which liblz4 relies on and
// other decoders do not check: no match begins in the last 12 bytes of the data, or ends in
// the last 5. It requires a block whose sequences are complete.
func checkEnd(t *testing.T, block []byte) {
	t.Helper()
	length := func(p int, n byte) (int, int) {
		total := int(n)
		for last := n == 15; last; p++ {
			total += int(block[p])
			last = block[p] == 255
		}
		return p, total
	}
	begin, end := 0, 0 // of the last match, if there is one
	for p, at := 0, 0; ; {
		token := block[p]
		var literals, match int
		p, literals = length(p+1, token>>4)
		p, at = p+literals, at+literals
		if p == len(block) {
			if end > 0 && (begin > at-searchEnd || end > at-lastLiterals) {
				t.Fatalf("%d bytes: the last match is from %d to %d", at, begin, end)
			}
			return
		}
		p, match = length(p+2, token&15)
		begin, end = at, at+minMatch+match
		at = end
	}
}
