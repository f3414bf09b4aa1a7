package zstd

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

var efforts = []lz77.Effort{
	{MinLength: 6, Rough: true}, {MinLength: 4}, {Rows: 1}, {Rows: 4, Lazy: 1}, {Rows: 32, Lazy: 1},
	{Rows: 8, Rough: true, Lazy: 2}, {Depth: 8, Nice: 24, Weigh: 1}, {Depth: 16, Nice: 128, Weigh: 2},
	{Depth: 8, Nice: 64, Weigh: 1, Survey: true}, {Depth: 16, Nice: 128, Weigh: 2, Survey: true},
	{Rows: 32, Far: true, Lazy: 2, Trials: true, Depth: 8, Nice: 64, Weigh: 1, Saving: 32, Survey: true},
	{Depth: 8, Nice: 64, Weigh: 1, Saving: 32}, {Depth: 8, Nice: 64, Weigh: 1, Saving: 1 << 30},
	{Depth: 10, Nice: 128, Weigh: 1, Saving: 32},
	{Depth: 3, Flat: true, Window: 1 << 15},
	{Depth: 2, Rows: 8, Trials: true}, {Rows: 16, Lazy: 2, Trials: true}, {Rows: 32, Lazy: 2, Trials: true},
	{Rows: 32, Far: true, Lazy: 2, Trials: true},
	{Depth: 16, Nice: 1024, Weigh: 2, Survey: true, Lone: true}, {Depth: 8, Nice: 1024, Weigh: 2, Lone: true},
}

// both decodes with and without the fast loop of this machine.
func both(t *testing.T, d *Decoder, frame []byte, size int) ([]byte, error) {
	t.Helper()
	at := Plain(frame, size)
	if at == 0 {
		return nil, ErrCorrupt
	}
	decode := func() ([]byte, error) {
		dst := bytes.Repeat([]byte{0xc3}, size+64)
		err := d.Decode(dst[:size:size+64], frame, at)
		for _, v := range dst[size:] {
			if v != 0xc3 {
				t.Fatal("wrote after the destination")
			}
		}
		return dst[:size], err
	}
	got, err := decode()
	mine, ones, twos := fast, decodeOnes, decodeTwos
	fast, decodeOnes, decodeTwos = nil, nil, nil
	want, wantErr := decode()
	fast, decodeOnes, decodeTwos = mine, ones, twos
	if err != wantErr || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%d bytes, error %v; the generic code returned others or error %v", size, err, wantErr)
	}
	return got, err
}

// newLibrary returns a decoder of klauspost's library.
func newLibrary(t *testing.T) *zstd.Decoder {
	t.Helper()
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// random returns random bytes, which take about the returned number of bytes as literals.
func random(seed uint64, size, alphabet int) (data []byte, literals int) {
	r := rand.New(rand.NewPCG(seed, 21))
	z := rand.NewZipf(r, 1.2, 6, uint64(alphabet-1))
	data = make([]byte, size)
	for i := range data {
		data[i] = byte(z.Uint64() * 37)
	}
	var h huffman
	h.count(data)
	return data, h.build(maxCodeBits) / 8
}

// frame returns a frame in new memory. It checks that a destination as long as a short frame
// suffices, and that a shorter one is not exceeded.
func (e *Encoder) frame(src []byte, effort lz77.Effort) []byte {
	dst := make([]byte, len(src)+16+3*(1+len(src)/maxBlock))
	frame := dst[:e.Encode(dst, src, effort)]
	if len(src) > 32<<10 {
		return frame
	}
	for _, size := range []int{len(frame), len(frame) - 1, len(frame) / 2} {
		short := bytes.Repeat([]byte{0xc3}, len(frame)+64)
		n := e.Encode(short[:size], src, effort)
		if size == len(frame) && (n != size || !bytes.Equal(short[:n], frame)) || size < len(frame) && n != 0 {
			panic("the size of the destination changes the frame")
		}
		for _, v := range short[size:] {
			if v != 0xc3 {
				panic("wrote after the destination")
			}
		}
	}
	return frame
}

// noiseOf returns n random bytes.
func noiseOf(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// copiesOf returns at least n bytes: pieces of known, with noise between them.
func copiesOf(r *rand.Rand, known []byte, n int) (data []byte) {
	for len(data) < n {
		at := r.IntN(len(known) - 64)
		data = append(append(data, known[at:at+64]...), noiseOf(r, 32)...)
	}
	return data
}

// pairsOf returns at least n bytes: values of four bytes that change little, each beside its double.
func pairsOf(r *rand.Rand, n int) (data []byte) {
	for v := uint32(1 << 28); len(data) < n; v += r.Uint32N(40) {
		data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(data, v), 2*v)
	}
	return data
}
