package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/huff0"
)

// skewed makes n bytes in which each value is rarer than the previous one by a
// factor, so that the codes reach the maximum length.
func skewed(r *rand.Rand, n int, factor float64) []byte {
	b := make([]byte, n)
	turn := byte(r.Uint32())
	for i := range b {
		v := byte(0)
		for r.Float64() < factor && v < 255 {
			v++
		}
		b[i] = v*37 + turn
	}
	return b
}

// ours checks that this package decodes b from four streams and from one, with and
// without assembly.
func ours(t *testing.T, seed uint64, b, four, one []byte) {
	t.Helper()
	prepare()
	var h huffmanDecoder
	f, g := decodeOnes, decodeTwos
	defer func() { decodeOnes, decodeTwos = f, g }()
	for range 2 {
		for streams, coded := range map[int][]byte{1: one, 4: four} {
			src := append(make([]byte, 8), coded...)
			at := h.readTable(src, 8, len(src))
			dst := bytes.Repeat([]byte{0xc3}, len(b)+len(b)/4+16)
			if at == 0 || !h.decode(dst, src, at, len(src), len(b), streams) || !bytes.Equal(dst[:len(b)], b) {
				t.Fatalf("seed %d, %d bytes: %d streams decoded to other bytes", seed, len(b), streams)
			}
			for _, v := range dst[len(b)+len(b)/4+8:] {
				if v != 0xc3 {
					t.Fatalf("seed %d, %d bytes: %d streams wrote too far", seed, len(b), streams)
				}
			}
			if streams == 1 && (h.decode(dst, src, at, len(src), len(b)-1, 1) || h.decode(dst, src, at, len(src), len(b)+1, 1)) {
				t.Fatalf("seed %d, %d bytes: a stream of another length decoded", seed, len(b))
			}
		}
		decodeOnes, decodeTwos = nil, nil
	}
}

// klauspost's decoder reads every code, and the assembly produces the same bytes as the
// generic loop.
func TestHuffman(t *testing.T) {
	defer func(f func(*[256]uint64, *[4]codeStream, []byte, []byte, int)) { encode4 = f }(encode4)
	mine := encode4
	var h huffman
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 6 + r.IntN(1<<(4+seed%13))
		b := skewed(r, n, []float64{0.3, 0.5, 0.8, 0.9, 0.97, 0.99}[seed%6])
		if largest := h.count(b); largest == n {
			continue
		}
		total := h.build(maxCodeBits)
		table := h.appendTable(nil)
		if table == nil {
			continue
		}
		encode4 = mine
		four := h.appendStreams(bytes.Clone(table), b)
		encode4 = encode4Generic
		if !bytes.Equal(four, h.appendStreams(bytes.Clone(table), b)) {
			t.Fatalf("seed %d, %d bytes: the generic code makes others", seed, n)
		}
		if size := len(four) - len(table) - 6; size < (total+7)/8 || size > total/8+8 {
			t.Fatalf("seed %d: %d bits in %d bytes", seed, total, size)
		}
		one := h.appendStream(bytes.Clone(table), b)

		ours(t, seed, b, four, one)
		s, rest, err := huff0.ReadTable(four, nil)
		if err != nil {
			t.Fatalf("seed %d, %d bytes: %v", seed, n, err)
		}
		back, err := s.Decoder().Decompress4X(make([]byte, 0, n), rest)
		if err != nil || !bytes.Equal(back, b) {
			t.Fatalf("seed %d, %d bytes: four streams decoded to other bytes, error %v", seed, n, err)
		}
		back, err = s.Decoder().Decompress1X(make([]byte, 0, n), one[len(table):])
		if err != nil || !bytes.Equal(back, b) {
			t.Fatalf("seed %d, %d bytes: one stream decoded to other bytes, error %v", seed, n, err)
		}
	}
}
