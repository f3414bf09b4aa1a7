package main

import (
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// typedSuffix is a file name that ends in a NumPy type: letter and bytes.
var typedSuffix = regexp.MustCompile(`\.(?:[iu](1|2|4|8)|f(2|4|8|16)|c(8|16|32)|b(1))$`)

// suffixTypeSize reads the typesize from a name such as "t2m.f4".
func suffixTypeSize(name string) (typesize int, ok bool) {
	m := typedSuffix.FindStringSubmatch(filepath.Base(name))
	if m == nil {
		return 0, false
	}
	for _, digits := range m[1:] {
		if digits != "" {
			typesize, _ = strconv.Atoi(digits)
		}
	}
	return typesize, true
}

// sampleSize is how much of the beginning of the input the typesize is
// guessed from.
const sampleSize = 256 << 10

// guessTypeSize tries 1, 2, 4, 8 and 16 on a sample and takes the one that
// compresses best. A larger one must be better by more than chance: 2 %.
func guessTypeSize(sample []byte) (int, error) {
	best, bestLen := 1, 0
	var out []byte
	for _, typesize := range []int{1, 2, 4, 8, 16} {
		pipeline, err := filters.Parse("shuffle")
		if err != nil {
			return 0, err
		}
		enc, err := chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: typesize, Filters: pipeline})
		if err != nil {
			return 0, err
		}
		if out, err = enc.Encode(out[:0], sample); err != nil {
			return 0, err
		}
		if typesize == 1 || len(out) < bestLen-bestLen/50 {
			best, bestLen = typesize, len(out)
		}
	}
	return best, nil
}
