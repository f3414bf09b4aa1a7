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

// A code from a part of the bytes has a code for every byte, and makes streams hardly longer
// than the code of all of them, also if values occur in some places only, or in rows.
func TestEstimate(t *testing.T) {
	kinds := []struct {
		name string
		at   func(r *rand.Rand, i int) byte
	}{
		{"floats", func(r *rand.Rand, i int) byte { return byte(r.NormFloat64() * 50) }},
		{"skewed", func(r *rand.Rand, i int) byte { return byte(r.ExpFloat64()*70) ^ byte(i>>14) }},
		{"sorted", func(r *rand.Rand, i int) byte {
			if i%4 == 0 {
				return byte(i >> 8)
			}
			return byte(r.NormFloat64() * 50)
		}},
		{"rows", func(r *rand.Rand, i int) byte { return byte(r.NormFloat64()*40) + byte((i&1023)/8) }},
	}
	for _, k := range kinds {
		for _, n := range []int{estimateMin, 48 << 10, 64<<10 - 5, 100000, maxBlock} {
			r := rand.New(rand.NewPCG(uint64(n), 5))
			b := make([]byte, n)
			for i := range b {
				b[i] = k.at(r, i)
			}
			var exact, h huffman
			if _, counted := h.estimate(b); counted == 0 || counted > n/3 {
				t.Fatalf("%s, %d bytes: counted %d", k.name, n, counted)
			}
			exact.count(b)
			least, total := exact.build(maxCodeBits), 0
			h.build(maxCodeBits)
			for s, n := range exact.counts[0] {
				if total += int(n) * int(h.length[s]); h.length[s] == 0 {
					t.Fatalf("%s, %d bytes: no code for %d", k.name, len(b), s)
				}
			}
			if total > least+least/150 {
				t.Errorf("%s, %d bytes: %d bits, and %d if all bytes are counted", k.name, n, total, least)
			}
		}
	}
}

// All bytes are counted if values are missing from the part, and random bytes have no code.
func TestEstimateAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	b := make([]byte, maxBlock)
	for i := range b {
		b[i] = byte(r.IntN(3) * r.IntN(80))
	}
	var exact, h huffman
	want := exact.count(b)
	if largest, counted := h.estimate(b); largest != want || counted != len(b) || h.counts[0] != exact.counts[0] {
		t.Errorf("counted %d of %d bytes, the largest count is %d, not %d", counted, len(b), largest, want)
	}
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	if _, counted := h.estimate(b); counted != 0 {
		t.Errorf("random bytes: counted %d", counted)
	}
}
