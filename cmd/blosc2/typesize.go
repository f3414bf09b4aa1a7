package main

import (
	"encoding/binary"
	"math/bits"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/meta"
)

// suffixDType returns the NumPy type in the suffix of a file name such as
// "t2m.f4", or "".
func suffixDType(name string) string {
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	if len(ext) < 2 || !strings.Contains("iufcb", ext[:1]) || ext[1] < '0' || ext[1] > '9' {
		return ""
	}
	if _, err := meta.ParseDType(ext); err != nil {
		return ""
	}
	return ext
}

// suffixTypeSize returns the size in bytes of an item of the type in a suffix.
func suffixTypeSize(name string) (typesize int, ok bool) {
	d, err := meta.ParseDType(suffixDType(name))
	return d.Size, err == nil
}

// sampleSize is the number of bytes at the beginning of the input from which the
// typesize is guessed.
const sampleSize = 256 << 10

// A guesser guesses the size of items.
type guesser struct {
	encoders map[int]*chunk.Encoder
	out      []byte
}

// guess returns the size, among 1, 2, 4, 8 and 16, with which a sample compresses best.
// A larger size must be better by 2 %, because smaller differences are due to chance.
func (g *guesser) guess(sample []byte) (int, error) {
	if len(sample) <= searchMin && plainText(sample) {
		return 1, nil
	}
	best, bestLen := 1, 0
	for _, typesize := range []int{1, 2, 4, 8, 16} {
		if len(sample) <= searchMin && !repeats(sample, typesize) {
			continue
		}
		enc, err := g.encoder(typesize)
		if err != nil {
			return 0, err
		}
		if g.out, err = enc.Encode(g.out[:0], sample); err != nil {
			return 0, err
		}
		if bestLen == 0 || len(g.out) < bestLen-bestLen/50 {
			best, bestLen = typesize, len(g.out)
		}
	}
	return best, nil
}

// plainText reports whether a sample is text without control characters other than
// white space. Its items are nearly always bytes.
func plainText(sample []byte) bool {
	for _, b := range sample {
		if b < ' ' && (b < '\t' || b > '\r') || b == 0x7f {
			return false
		}
	}
	return utf8.Valid(sample)
}

// repeats reports whether the bytes of a sample equal the bytes at a distance more
// often than by chance. Otherwise, filtering for items of that size has no effect.
func repeats(sample []byte, distance int) bool {
	const low7 = 0x7f7f7f7f7f7f7f7f
	n, equal := 0, 0
	for ; n+distance+8 <= len(sample); n += 8 {
		differ := binary.LittleEndian.Uint64(sample[n:]) ^ binary.LittleEndian.Uint64(sample[n+distance:])
		equal += bits.OnesCount64(^((differ&low7 + low7) | differ | low7)) // a bit for each zero byte
	}
	return equal > n/64
}

// encoder returns the encoder for a size, and keeps it for the next sample.
func (g *guesser) encoder(typesize int) (*chunk.Encoder, error) {
	if enc := g.encoders[typesize]; enc != nil {
		return enc, nil
	}
	enc, err := chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: typesize, Filters: filters.Default()})
	if err != nil {
		return nil, err
	}
	if g.encoders == nil {
		g.encoders = map[int]*chunk.Encoder{}
	}
	g.encoders[typesize] = enc
	return enc, nil
}
