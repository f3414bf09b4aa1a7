package stream_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// stretches makes data of several kinds, one after the other, so that the beginning
// is not representative of the rest.
func stretches(r *rand.Rand, real []byte) (data []byte) {
	size := 1 + r.IntN(1<<(4+r.IntN(18)))
	for len(data) < size {
		n := min(size-len(data), 1+r.IntN(1<<(6+r.IntN(15))))
		words := func(next func() uint64) {
			for range n/8 + 1 {
				data = binary.LittleEndian.AppendUint64(data, next())
			}
		}
		kind := r.IntN(7)
		if len(data) == 0 && r.IntN(2) == 0 {
			kind = 0
		}
		switch kind {
		case 0: // measurements
			at := r.IntN(max(len(real)-n, 1)) &^ 7
			data = append(data, real[at:min(at+n, len(real))]...)
		case 1: // few values, equal as a whole or in most bytes
			kinds, factor := 1+r.Uint64N(1<<r.IntN(14)), r.Uint64()|1
			if r.IntN(2) == 0 {
				factor = 1 << r.IntN(50)
			}
			words(func() uint64 { return r.Uint64N(kinds) * factor })
		case 2: // a series of increasing numbers
			v, step := r.Uint64(), r.Uint64()>>(10+r.IntN(50))
			words(func() uint64 { v += step + r.Uint64N(20)/19; return v })
		case 3: // decimal fractions
			x, digits := r.Float64()*1000, math.Pow10(r.IntN(6))
			words(func() uint64 { x += r.NormFloat64(); return math.Float64bits(math.Round(x*digits) / digits) })
		case 4:
			data = append(data, bytes.Repeat([]byte{byte(r.Uint32())}, n)...)
		case 5:
			for shift := r.IntN(8); n > 0; n-- {
				data = append(data, byte(r.Uint32())>>shift)
			}
		case 6: // a copy of earlier data
			for d := 1 + r.IntN(max(len(data), 1)); n > 0 && d <= len(data); n-- {
				data = append(data, data[len(data)-d])
			}
		}
	}
	return data[:size]
}

// Any data survive a round trip with any settings, through a Writer that was used
// for other data before. $BLOSC2_FULL tries fifty times as much, -short a tenth.
func TestAnySettings(t *testing.T) {
	real := b2test.Real(t, "nab-records.16")
	oracles := b2test.Oracles(t)
	cases := 800
	switch {
	case os.Getenv("BLOSC2_FULL") != "":
		cases *= 50
	case testing.Short():
		cases /= 10
	}
	pick := func(r *rand.Rand, list ...int) int { return list[r.IntN(len(list))] }
	codecs := []blosc2.CodecID{blosc2.CodecZstd, blosc2.CodecZstd, blosc2.CodecZlib, blosc2.CodecLZ4HC, blosc2.CodecLZ4, blosc2.CodecBloscLZ}
	pipelines := []string{"none", "none", "shuffle", "shuffle", "bitshuffle", "delta,shuffle", "shuffle,bytedelta", "delta"}
	file := filepath.Join(t.TempDir(), "any.b2frame")
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 20))
		codec, level, pipeline := codecs[r.IntN(len(codecs))], pick(r, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), pipelines[r.IntN(len(pipelines))]
		f, err := filters.Parse(pipeline)
		if err != nil {
			t.Fatal(err)
		}
		typesize := pick(r, 1, 2, 3, 4, 8, 8, 8, 12, 16, 24, 32, 48)
		size := (1 << (12 + r.IntN(10))) / typesize * typesize
		block := 0
		if r.IntN(2) == 0 {
			block = min(size, (1<<(8+r.IntN(13)))/typesize*typesize)
		}
		split := []blosc2.SplitMode{blosc2.SplitDefault, blosc2.SplitAlways, blosc2.SplitNever}[r.IntN(3)]
		name := fmt.Sprintf("seed %d: %v %d, %s, typesize %d, chunks of %d, blocks of %d, split %v", seed, codec, level, pipeline, typesize, size, block, split)
		w, err := stream.NewWriter(io.Discard, stream.Codec(codec), stream.Level(level), stream.Filters(f), stream.TypeSize(typesize),
			stream.ChunkSize(size), stream.BlockSize(block), stream.Split(split), stream.Workers(1+r.IntN(3)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range 2 {
			data := stretches(r, real)
			var frame bytes.Buffer
			if err := w.Reset(&frame); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := w.Write(data); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := w.Close(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got, err := readAll(t, bytes.NewReader(frame.Bytes())); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: %d bytes came back as others, error %v", name, len(data), err)
			}
			if seed%10 > 0 || !w.Sealed() {
				continue
			}
			if err := os.WriteFile(file, frame.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, lib := range oracles {
				if lib.Major == 2 && pipeline == "shuffle,bytedelta" {
					continue // C-Blosc2 before 3.3.2 lost the bytes after the last whole item with bytedelta
				}
				if got, err := lib.Decode(t, "read-frame", file); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s: %d bytes are others for C-Blosc2 %d, error %v", name, len(data), lib.Major, err)
				}
			}
		}
	}
}
