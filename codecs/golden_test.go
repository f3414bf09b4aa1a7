package codecs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestGolden compares the digests of the output of every codec at every level, for
// fixed data, with testdata/golden.txt: with all kernels that the processor
// supports, and on every architecture. A change of bytes is a decision; go test
// -run TestGolden -update records it.
func TestGolden(t *testing.T) { b2test.Golden(t, "golden.txt", *update, goldenDigests) }

// goldenDigests returns a line for each codec, parameters and level: bytes of
// data, bytes of streams, the beginning of the SHA-256 of the streams. All
// streams are decoded and compared.
func goldenDigests(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("# codec, variant, level, bytes of data, of streams, SHA-256 of the streams\n")
	for _, id := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLizard} {
		for level := 1; level <= 9; level++ {
			goldenLine(t, &text, id, "bytes", goldenBytes(), codecs.Params{Level: level, TypeSize: 1})
			if id != blosc2.CodecSnappy || level == 1 { // snappy has no levels
				goldenLine(t, &text, id, "long", [][]byte{goldenLong()}, codecs.Params{Level: level, TypeSize: 1})
				goldenLine(t, &text, id, "long planes", [][]byte{goldenPlanes()}, codecs.Params{Level: level, TypeSize: 4})
				goldenLine(t, &text, id, "long records", [][]byte{goldenRecords()}, codecs.Params{Level: level, TypeSize: 16, Values: true})
				goldenLine(t, &text, id, "long noise", [][]byte{goldenNoise()}, codecs.Params{Level: level, TypeSize: 8, Values: true})
			}
			switch id {
			case blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLizard:
				goldenLine(t, &text, id, "mixed planes", [][]byte{goldenMixed()}, codecs.Params{Level: level, TypeSize: 16})
			}
			if id == blosc2.CodecLZ4HC || id == blosc2.CodecZstd {
				goldenLine(t, &text, id, "values in rows", [][]byte{goldenRows()}, codecs.Params{Level: level, TypeSize: 8, Values: true})
				goldenLine(t, &text, id, "values", goldenValues(), codecs.Params{Level: level, TypeSize: 8, Values: true})
			}
			if id == blosc2.CodecZstd {
				if level >= 3 && level <= 6 { // the levels for which it matters
					goldenLine(t, &text, id, "mixed planes of shuffle", [][]byte{goldenMixed()}, codecs.Params{Level: level, TypeSize: 16, Planes: true})
				}
				goldenLine(t, &text, id, "dict", goldenBytes()[:20], codecs.Params{Level: level, TypeSize: 1, Dict: []byte(strings.Repeat("temperature|pressure|wind speed|", 8))})
			}
		}
	}
	blocks := [][]byte{goldenPlane(30*40, 1), goldenPlane(30*40, 2)}
	for _, side := range []uint8{4, 8} {
		goldenLine(t, &text, blosc2.CodecNDLZ, fmt.Sprintf("side %d", side), blocks, codecs.Params{Level: 5, TypeSize: 1, Meta: side, BlockShape: []int32{30, 40}, WholeBlock: true})
	}
	return text.String()
}

func goldenLine(t *testing.T, text *strings.Builder, id blosc2.CodecID, variant string, inputs [][]byte, p codecs.Params) {
	t.Helper()
	c, err := codecs.New(id)
	if err != nil {
		t.Fatal(err)
	}
	sum, data, streams := sha256.New(), 0, 0
	for i, src := range inputs {
		dst := make([]byte, len(src)+len(src)/4+1024)
		n, err := c.Encode(dst, src, p)
		if err != nil {
			t.Fatalf("%v, %s, level %d, input %d: %v", id, variant, p.Level, i, err)
		}
		putStream(sum, dst[:n])
		data += len(src)
		streams += n
		if n == 0 {
			continue // the stream does not shrink
		}
		back := make([]byte, len(src))
		if _, err := c.Decode(back, dst[:n], p); err != nil || !bytes.Equal(back, src) {
			t.Fatalf("%v, %s, level %d, input %d of %d bytes: does not round-trip: %v", id, variant, p.Level, i, len(src), err)
		}
	}
	fmt.Fprintf(text, "%v, %s, %d, %d, %d, %x\n", id, variant, p.Level, data, streams, sum.Sum(nil)[:8])
}

func putStream(sum hash.Hash, stream []byte) {
	var size [4]byte
	binary.LittleEndian.PutUint32(size[:], uint32(len(stream)))
	sum.Write(size[:])
	sum.Write(stream)
}

// goldenBytes returns inputs that are made with integer arithmetic only, because
// floating-point sums differ between architectures.
func goldenBytes() (inputs [][]byte) {
	lengths := map[string][]int{
		"zeros": {70000}, "one value": {300}, "random": {500, 20000}, "ramp": {20000}, "steps": {500, 20000},
		"short runs": {20000}, "small alphabet": {20000}, "sparse": {20000, 70000}, "short period": {20000},
		"long period": {20000}, "phrases": {20, 500, 20000, 150000},
	}
	for _, s := range codectest.Shapes() {
		for _, n := range lengths[s.Name] {
			inputs = append(inputs, s.Data(n))
			delete(lengths, s.Name)
		}
	}
	if len(lengths) > 0 {
		panic(fmt.Sprintf("codectest.Shapes lacks %v", lengths))
	}
	return append(inputs, goldenPlane(20000, 3), goldenPlane(140000, 4), nil)
}

// goldenPlane returns a plane of bytes like those of slowly changing numbers.
func goldenPlane(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b, v := make([]byte, n), 100<<8
	for i := range b {
		v += r.IntN(301) - 150
		b[i] = byte(v >> 8)
	}
	return b
}

// goldenValues returns words of 8 bytes, of which many repeat.
func goldenValues() (inputs [][]byte) {
	for seed, distinct := range []uint64{20, 700, 1 << 40} {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		var b []byte
		for range 5000 << seed {
			b = binary.LittleEndian.AppendUint64(b, r.Uint64N(distinct)*0x9e3779b97f4a7c15)
		}
		inputs = append(inputs, b)
	}
	return inputs
}

// goldenRows returns words of 8 bytes, most of which repeat singly. Sequences of up to
// twelve words repeat occasionally, and in some parts often.
func goldenRows() (b []byte) {
	r := rand.New(rand.NewPCG(6, 3))
	for len(b) < goldenLength {
		if often := 4 + 12*(len(b)>>15&3); r.IntN(often) == 0 {
			for back := 8 * (12 + r.IntN(2000)); back <= len(b) && r.IntN(12) > 0; {
				b = append(b, b[len(b)-back:][:8]...)
			}
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, r.Uint64N(1+r.Uint64N(3000))*0x9e3779b97f4a7c15)
	}
	return b[:goldenLength]
}

// goldenLength exceeds the window of every finder, and the number of positions
// after which it wraps around: 64 KiB and 128 KiB.
const goldenLength = 272 << 10

// goldenLong returns text with lines that repeat at small distances, and at
// distances near the limits of deflate, its encoder, LZ4 and 16 bits, with some
// digits changed.
func goldenLong() []byte {
	r := rand.New(rand.NewPCG(1, 3))
	var b []byte
	for len(b) < goldenLength {
		back := min(len(b), []int{200, 5000, 32_766, 32_767, 32_768, 65_535, 65_536, 100_000}[r.IntN(8)])
		if n := min(back, 20+r.IntN(700)); n > 0 && r.IntN(8) > 0 {
			b = append(b, b[len(b)-back:][:n]...)
			b[len(b)-1-r.IntN(n)] = '0' + byte(r.IntN(10))
			continue
		}
		b = fmt.Appendf(b, "%d;%d.%02d;station %x\n", 1_700_000_000+len(b), r.IntN(40), r.IntN(100), r.Uint32())
	}
	return b[:goldenLength]
}

// goldenPlanes returns the four planes of integers that change slowly, and are
// constant for a while.
func goldenPlanes() []byte {
	r := rand.New(rand.NewPCG(2, 3))
	b, v := make([]byte, goldenLength), uint32(1<<24)
	for i := range goldenLength / 4 {
		if i>>11&7 != 3 {
			v += uint32(r.IntN(4001) - 2000)
		}
		for k := range 4 {
			b[k*goldenLength/4+i] = byte(v >> (8 * k))
		}
	}
	return b
}

// goldenMixed returns sixteen planes, from those of two values to noise. Their
// repetitions are short and long, near and far (up to the limit of 16-bit positions), and
// more or less frequent. So every quantity that an encoder compares with a threshold
// occurs on both sides of it.
func goldenMixed() (b []byte) {
	r := rand.New(rand.NewPCG(5, 3))
	values := []int{2, 3, 5, 8, 12, 16, 24, 40, 64, 100, 150, 200, 215, 230, 240, 256}
	for len(b) < goldenLength {
		plane := len(b) * len(values) / goldenLength
		switch back, again := 1+r.IntN(1<<(1+r.IntN(16))), r.IntN(8) < 2+len(b)>>11&3; {
		case again && back <= len(b):
			for range 3 + r.IntN(1<<(1+r.IntN(6))) {
				b = append(b, b[len(b)-back])
			}
		default:
			for range 1 + r.IntN(1<<(plane&3+1)) {
				b = append(b, byte(r.IntN(values[plane])*255/values[plane]))
			}
		}
		if plane > 11 && len(b)%5 > 0 { // a plane that is mostly noise
			for range 2000 {
				b = append(b, byte(r.IntN(values[plane])))
			}
		}
	}
	return b[:goldenLength]
}

// goldenRecords returns unfiltered records of a time and one of few values.
func goldenRecords() (b []byte) {
	r := rand.New(rand.NewPCG(3, 3))
	at := uint64(1_700_000_000)
	for len(b) < goldenLength {
		at += 300 * (r.Uint64N(20) / 19)
		b = binary.LittleEndian.AppendUint64(b, at)
		b = binary.LittleEndian.AppendUint64(b, r.Uint64N(1+r.Uint64N(500))*0x9e3779b97f4a7c15)
	}
	return b
}

// goldenNoise returns measurements that mostly differ in all but their first bytes. In
// some parts many repeat, in others so few that finders skip positions, and their tables
// keep stale positions.
func goldenNoise() (b []byte) {
	r := rand.New(rand.NewPCG(4, 3))
	for len(b) < goldenLength {
		again := []int{40, 3, 400}[(len(b)>>14)%3]
		if back := 8 * (1 + r.IntN(5000)); r.IntN(again) == 0 && back <= len(b) {
			b = append(b, b[len(b)-back:][:8]...)
			continue
		}
		if len(b) > 0 && r.IntN(100) == 0 {
			b = append(b, b[:4]...) // an empty table refers to position 0, where these bytes are
			b = binary.LittleEndian.AppendUint32(b, r.Uint32())
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, 0x4050_0000_0000_0000+r.Uint64N(1<<(20+r.IntN(31))))
	}
	return b[:goldenLength]
}
