package tune

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// A trial is one way to compress the sample, with what it gave.
type trial struct {
	params chunk.Params
	size   float64 // bytes stored
	time   float64 // of compressing and decompressing, in ns for each byte of the sample
}

// try compresses the sample.
func try(sample []byte, p chunk.Params) (trial, error) {
	p.PlainZeros = true // so that every chunk has streams to look at
	e, err := chunk.NewEncoder(p)
	if err != nil {
		return trial{}, err
	}
	c, err := e.Encode(make([]byte, 0, chunk.Bound(len(sample))), sample)
	if err != nil {
		return trial{}, err
	}
	t := trial{params: p, size: float64(len(c))}
	if p.Codec == blosc2.CodecLZ4 {
		t.time, err = reckon(c, len(sample), p)
	}
	return t, err
}

// What things cost in nanoseconds, compressing and decompressing together:
// least squares over real data of every kind, measured on one machine (AVX-512;
// an older one pays more for bitshuffle). Only their proportions matter, and
// those only where two ways are far apart.
const (
	perSequence = 17.0 // of LZ4: some literals and a match
	perLiteral  = 0.03 // byte that was left as it is
)

// perByte is what the filters cost.
func perByte(p chunk.Params) float64 {
	switch {
	case p.Filters.Empty():
		return 0.05
	case p.Filters.Has(blosc2.FilterBitShuffle):
		return 0.18
	case p.Filters.Has(blosc2.FilterByteDelta):
		return 0.15
	}
	return 0.07
}

// reckon tells what a chunk of n bytes costs, by what LZ4 made of it.
func reckon(c []byte, n int, p chunk.Params) (float64, error) {
	sequences, literals := 0, 0
	err := chunk.EachStream(c, func(stored []byte, n int) {
		if len(stored) == n {
			literals += n
			return
		}
		s, l := countLZ4(stored)
		sequences, literals = sequences+s, literals+l
	})
	// Trying harder costs more for what is found, and for what is not.
	effort := 1 + 0.02*float64(p.Level-5)
	return perByte(p) + effort*(perSequence*float64(sequences)+perLiteral*float64(literals))/float64(n), err
}

// countLZ4 counts the sequences of an LZ4 block, and the literal bytes in them.
func countLZ4(b []byte) (sequences, literals int) {
	length := func(nibble, i int) (int, int) {
		if nibble < 15 {
			return nibble, i
		}
		for i < len(b) {
			nibble += int(b[i])
			i++
			if b[i-1] < 255 {
				break
			}
		}
		return nibble, i
	}
	for i := 0; i < len(b); {
		token := int(b[i])
		n, at := length(token>>4, i+1)
		sequences++
		literals += n
		i = at + n
		if i >= len(b) {
			break
		}
		_, i = length(token&15, i+2)
	}
	return sequences, literals
}
