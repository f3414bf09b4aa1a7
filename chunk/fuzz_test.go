package chunk_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// fuzzMax is the largest decoded size of a chunk that the fuzz targets decode.
const fuzzMax = 1 << 20

// seeds adds small chunks of every kind: some of our own, and those of the corpus if it
// is available.
func seeds(f *testing.F, add func(c []byte)) {
	src := payload(3000, 4, 1)
	for _, id := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLizard} {
		p := chunk.Default()
		p.Codec, p.TypeSize, p.BlockSize = id, 4, 1024
		e, err := chunk.NewEncoder(p)
		if err != nil {
			f.Fatal(err)
		}
		c, err := e.Encode(nil, src)
		if err != nil {
			f.Fatal(err)
		}
		add(c)
		if c, err = e.EncodeBlocks(nil, [][]byte{src[:10], src[:1000]}); err != nil {
			f.Fatal(err)
		}
		add(c)
	}
	if !b2test.HasCorpus(f) {
		f.Log("no corpus to begin with")
		return
	}
	for k, e := range b2test.Corpus(f) {
		if e.Kind == "chunk" && e.Size < 2000 && k%4 == 0 {
			add(e.Bytes(f))
		}
	}
}

// FuzzDecode decodes arbitrary bytes. They decode to as many bytes as the header states,
// or return an error of a known kind.
func FuzzDecode(f *testing.F) {
	seeds(f, func(c []byte) { f.Add(c) })
	f.Fuzz(func(t *testing.T, c []byte) {
		defer b2test.Cost(t)()
		d := chunk.Decoder{MaxBytes: fuzzMax}
		checkAgrees(t, "input", &d, c)
		got, err := d.Decode(nil, c)
		if err != nil {
			knownError(t, err)
			return
		}
		h, err := chunk.ParseHeader(c)
		if err != nil || len(got) != h.NBytes {
			t.Fatalf("%d bytes decoded; header: %+v, %v", len(got), h, err)
		}
		again, err := d.Decode(nil, c)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("a second time: %d bytes, %v", len(again), err)
		}
	})
}

// FuzzDecodeRange decodes a range of arbitrary bytes. If the whole chunk decodes too, the
// range equals that part of it.
func FuzzDecodeRange(f *testing.F) {
	seeds(f, func(c []byte) { f.Add(c, uint16(100), uint16(1000)) })
	f.Fuzz(func(t *testing.T, c []byte, off, n uint16) {
		defer b2test.Cost(t)()
		d := chunk.Decoder{MaxBytes: fuzzMax}
		part := make([]byte, n)
		err := d.DecodeRange(part, c, int(off))
		if errors.Is(err, blosc2.ErrOption) {
			return
		}
		if err != nil {
			knownError(t, err)
		}
		whole, wholeErr := d.Decode(nil, c)
		if wholeErr == nil && err != nil {
			t.Fatalf("bytes %d to %d of a good chunk: %v", off, int(off)+int(n), err)
		}
		if wholeErr == nil && !bytes.Equal(part, whole[off:][:n]) {
			t.Fatalf("bytes %d to %d are not those of the whole", off, int(off)+int(n))
		}
	})
}

// FuzzLayout parses the layout of arbitrary bytes. Each block, decoded alone, equals its
// part of the whole chunk.
func FuzzLayout(f *testing.F) {
	seeds(f, func(c []byte) { f.Add(c) })
	f.Fuzz(func(t *testing.T, c []byte) {
		defer b2test.Cost(t)()
		h, err := chunk.ParseHeader(c)
		if err != nil {
			knownError(t, err)
			return
		}
		n := h.LayoutLen()
		if n < h.Len() || n > h.CBytes {
			t.Fatalf("layout of %d bytes: %+v", n, h)
		}
		l, err := chunk.ParseLayout(c[:min(n, len(c))])
		if err != nil {
			knownError(t, err)
			return
		}
		d := chunk.Decoder{MaxBytes: fuzzMax}
		whole, err := d.Decode(nil, c)
		if err != nil || h.VLBlocks() {
			return
		}
		for i := range l.NumBlocks {
			off, n := l.Extent(i)
			dst := make([]byte, l.BlockLen(i))
			if err := d.DecodeBlock(dst, c[off:off+n], l, i); err != nil {
				knownError(t, err)
				return // blocks may overlap in a whole chunk, but must not do so here
			}
			if i == 0 {
				l.Ref = dst
			}
			if !bytes.Equal(dst, whole[i*l.BlockSize:][:len(dst)]) {
				t.Fatalf("block %d is not what the whole holds", i)
			}
		}
	})
}

func knownError(t *testing.T, err error) {
	t.Helper()
	var fe *blosc2.FormatError
	if !errors.As(err, &fe) {
		t.Fatalf("%T: %v", err, err)
	}
	for _, known := range []error{blosc2.ErrCorrupt, blosc2.ErrUnsupported, blosc2.ErrTooLarge, io.ErrUnexpectedEOF} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Fatalf("error of no known kind: %v", err)
}

// FuzzEncode makes chunks of arbitrary bytes with all kinds of parameters. A chunk
// decodes to the input, as a whole and in part, and is no longer than its bound.
func FuzzEncode(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), uint64(0))
	f.Add(payload(3000, 4, 1), uint64(0x0102030405060708))
	f.Add(payload(300, 3, 2), uint64(0xf1e2d3c4b5a69788))
	all := []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLizard}
	f.Fuzz(func(t *testing.T, src []byte, knobs uint64) {
		defer b2test.Cost(t)()
		turn := func(n int) int {
			k := int(knobs % uint64(n))
			knobs /= uint64(n)
			return k
		}
		p := chunk.Params{
			Codec:      all[turn(len(all))],
			Level:      turn(10),
			TypeSize:   []int{0, 1, 2, 3, 4, 8, 17, 255, 300}[turn(9)],
			BlockSize:  []int{0, 0, 1, 7, 32, 100, 1024}[turn(7)],
			Split:      blosc2.SplitMode(turn(5)),
			PlainZeros: turn(2) == 0,
			Filters:    pipeline(t, losslessPipelines[turn(len(losslessPipelines))]),
		}
		if turn(4) == 0 {
			p.Format = chunk.Format(turn(3))
		}
		e, err := chunk.NewEncoder(p)
		if errors.Is(err, blosc2.ErrOption) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := e.Encode(nil, src)
		if err != nil || len(c) > chunk.Bound(len(src)) {
			t.Fatalf("%+v: %d bytes of %d, %v", p, len(c), len(src), err)
		}
		var d chunk.Decoder
		if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, src) {
			t.Fatalf("%+v: %d bytes of %d, %v", p, len(got), len(src), err)
		}
		off := turn(len(src) + 1)
		part := make([]byte, turn(len(src)-off+1))
		if err := d.DecodeRange(part, c, off); err != nil || !bytes.Equal(part, src[off:][:len(part)]) {
			t.Fatalf("%+v: bytes %d to %d: %v", p, off, off+len(part), err)
		}
	})
}
