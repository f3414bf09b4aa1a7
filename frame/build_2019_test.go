package frame_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// make2019 returns a frame of the layout of 2019 with the given chunks.
func make2019(t *testing.T, h header.Header, chunks [][]byte) ([]byte, error) {
	t.Helper()
	b, err := frame.NewBuilder(&h, frame.Checks(true))
	if err != nil {
		return nil, err
	}
	out, err := b.AppendHeader(nil)
	if err != nil {
		return nil, err
	}
	for _, c := range chunks {
		ch, err := chunk.ParseHeader(c)
		if err != nil {
			return nil, err
		}
		out = append(out, c...)
		if err := b.AddChunk(ch.NBytes, len(c)); err != nil {
			return nil, err
		}
	}
	if out, err = b.AppendTail(out); err != nil {
		return nil, err
	}
	head, err := b.AppendSealed(nil)
	return append(head, out[len(head):]...), err
}

// The Builder makes the same bytes as the libraries of August 2019, from the headers and
// chunks of their frames that were extended in a file.
func TestLayout2019Genuine(t *testing.T) {
	same, packed := 0, 0
	for _, e := range b2test.Corpus(t) {
		if e.Category != "generations" || !strings.HasPrefix(e.Path, "generations/2019-08-14") && !strings.HasPrefix(e.Path, "generations/2019-08-19") {
			continue
		}
		b := e.Bytes(t)
		_, f, err := readAll(b)
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		if f.Header().Generation != header.Layout2019 || f.NumChunks() == 0 || f.Header().ChunkSize == 0 {
			continue
		}
		var chunks [][]byte
		for n := range f.NumChunks() {
			c, err := f.RawChunk(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, c)
		}
		got, err := make2019(t, *f.Header(), chunks)
		if err == nil && !bytes.Equal(got, b) && sameBut2019Index(got, b) {
			packed++ // the index is long enough to be compressed, with the blosclz of 2019
			continue
		}
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: made %d bytes, genuine %d: %v", e.Path, len(got), len(b), err)
			continue
		}
		same++
	}
	t.Logf("%d frames of August 2019 made again byte by byte, %d but for the index", same, packed)
	if same == 0 {
		t.Error("none")
	}
}

// sameBut2019Index compares two frames, except for their lengths and their indexes.
func sameBut2019Index(a, b []byte) bool {
	h, err := header.Parse(a)
	if err != nil {
		return false
	}
	const frameLen = 16
	end := h.Len() + int(h.CBytes)
	return h.CBytes > 0 && bytes.Equal(a[:frameLen], b[:frameLen]) && bytes.Equal(a[frameLen+8:end], b[frameLen+8:end])
}

// Offsets of two and four bytes are written and read; larger ones are rejected.
func TestLayout2019Offsets(t *testing.T) {
	p := chunk.Default()
	p.TypeSize, p.Format = 4, chunk.Beta
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	data := ramp(40_000)
	var chunks [][]byte
	for _, c := range cut(data, 1000) {
		one, err := enc.Encode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, one)
	}
	h := header.Header{Generation: header.Layout2019, TypeSize: 4, ChunkSize: 1000, Codec: p.Codec, Level: 5}
	for _, width := range []int{2, 4, 8} {
		h.OffsetWidth = width
		b, err := make2019(t, h, chunks)
		if err != nil {
			t.Fatalf("width %d: %v", width, err)
		}
		if got, f, err := readAll(b); err != nil || !bytes.Equal(got, data) || f.Header().OffsetWidth != width {
			t.Errorf("width %d: %d bytes: %v", width, len(got), err)
		}
	}
	h.OffsetWidth = 2
	if _, err := make2019(t, h, slices.Repeat(chunks, 20)); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("offsets beyond two bytes: %v", err)
	}
}
