package stream_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// drift returns a stream with parts of different kinds, the first of which is zeros.
func drift(t *testing.T) []byte {
	const part = 2 << 20
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 1<<20)
	data = append(data, b2test.Real(t, "era-geopotential.f4")[:part]...)
	for range part / 8 { // a part of few values
		data = binary.LittleEndian.AppendUint64(data, r.Uint64N(300)*0x9e3779b97f4a7c15)
	}
	for range part / 8 { // a part of noise
		data = binary.LittleEndian.AppendUint64(data, r.Uint64())
	}
	words := bytes.Fields([]byte("the wind of the night was cold and nobody came to the door but one who knew what to say"))
	for n := len(data) + part; len(data) < n; {
		data = append(append(data, words[r.IntN(len(words))]...), ' ')
	}
	data = data[:len(data)/32*32]
	data = append(data, b2test.Real(t, "nab-records.16")...)
	return data[:len(data)/32*32]
}

// C-Blosc2 reads streams with chunks of different codecs, filters, splits and block
// sizes, whole and in ranges.
func TestAutoOracle(t *testing.T) {
	data := drift(t)
	libs := b2test.Oracles(t)
	for _, aim := range []tune.Aim{tune.Network, tune.WAN} {
		file := filepath.Join(t.TempDir(), "auto.b2frame")
		f, err := os.Create(file)
		must(t, err)
		w, err := stream.NewWriter(f, stream.Auto(aim), stream.Workers(2))
		must(t, err)
		_, err = w.Write(data)
		must(t, err)
		must(t, w.Close())
		must(t, f.Close())
		kinds := differences(t, file)
		if kinds.codecs < 2 || kinds.filters < 3 || kinds.splits < 2 || kinds.blocks < 2 {
			t.Errorf("%v: chunks differ too little: %+v", aim, kinds)
		}
		for _, lib := range libs {
			got, err := lib.Decode(t, "read-frame", file)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%v: C-Blosc2 %d reads other bytes, or %v", aim, lib.Major, err)
			}
			out := filepath.Join(t.TempDir(), "range")
			for at := 0; at < len(data); at += 777 << 10 {
				from, to := at/kinds.width, min(at+900_000, len(data))/kinds.width
				if _, err := lib.RunErr("read-range", "--start", strconv.Itoa(from), "--stop", strconv.Itoa(to), file, out); err != nil {
					t.Errorf("%v: C-Blosc2 %d, items %d to %d: %v", aim, lib.Major, from, to, err)
					continue
				}
				got, err := os.ReadFile(out)
				must(t, err)
				if !bytes.Equal(got, data[from*kinds.width:to*kinds.width]) {
					t.Errorf("%v: C-Blosc2 %d reads other items from %d to %d", aim, lib.Major, from, to)
				}
			}
		}
	}
}

// A variety counts the distinct values of each parameter among the chunks of a frame.
type variety struct{ codecs, filters, splits, blocks, width int }

func differences(t *testing.T, file string) (k variety) {
	f, err := frame.OpenFile(file)
	must(t, err)
	defer f.Close()
	codecs, filters, splits, blocks := map[blosc2.CodecID]bool{}, map[any]bool{}, map[bool]bool{}, map[int]bool{}
	for i := range f.NumChunks() {
		h, err := f.ChunkHeader(i)
		must(t, err)
		codecs[h.Codec], filters[h.Filters], splits[h.Split()], blocks[h.BlockSize] = true, true, true, true
		if k.width == 0 {
			k.width = h.TypeSize
		}
		if h.TypeSize != k.width {
			t.Errorf("chunk %d has items of %d bytes, the ones before of %d", i, h.TypeSize, k.width)
		}
	}
	if int(f.Header().TypeSize) != k.width {
		t.Errorf("the header says items of %d bytes, the chunks %d", f.Header().TypeSize, k.width)
	}
	return variety{len(codecs), len(filters), len(splits), len(blocks), k.width}
}
