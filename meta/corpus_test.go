package meta_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// arrays calls f for every frame of the corpus that has the metalayer, with the frame's
// header and the metalayer's value.
func arrays(t testing.TB, name string, f func(e b2test.Entry, h *header.Header, value []byte)) {
	t.Helper()
	for _, e := range b2test.Corpus(t) {
		if e.Reject != "" || e.Kind == "chunk" || e.Kind == "filtered" {
			continue
		}
		file := e.File()
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			file = filepath.Join(file, "chunks.b2frame")
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		h, err := header.Parse(b[e.Offset:])
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		if value, ok := h.Layer(name); ok {
			f(e, h, value)
		}
	}
}

func TestCorpusB2ND(t *testing.T) {
	parts := map[int]int{}
	lied := 0
	arrays(t, meta.B2NDName, func(e b2test.Entry, h *header.Header, b []byte) {
		a, err := meta.ParseB2ND(b)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			return
		}
		parts[a.Parts]++
		if b[0] != 0x90+byte(a.Parts) {
			lied++
		}
		if out, err := a.Append(nil); err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: written as % x, read as % x: %v", e.Path, out, b, err)
		}
		typesize := int(h.TypeSize)
		if err := a.Validate(typesize); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		if got := int32(a.ChunkBytes(typesize)); got != h.ChunkSize && h.NBytes > 0 {
			t.Errorf("%s: chunks of %d bytes, want %d", e.Path, got, h.ChunkSize)
		}
		if e.Expect != nil && e.Expect.B2ND != nil {
			w := e.Expect.B2ND
			if !slices.Equal(a.Shape, w.Shape) || !slices.Equal(a.ChunkShape, w.ChunkShape) || !slices.Equal(a.BlockShape, w.BlockShape) {
				t.Errorf("%s: shapes %v %v %v, want %v %v %v", e.Path, a.Shape, a.ChunkShape, a.BlockShape, w.Shape, w.ChunkShape, w.BlockShape)
			}
			if w.DType != nil && (a.DType != *w.DType || a.DTypeFormat != uint8(w.DTypeFormat)) {
				t.Errorf("%s: dtype %d %q, want %d %q", e.Path, a.DTypeFormat, a.DType, w.DTypeFormat, *w.DType)
			}
		}
		if d := a.ItemType(typesize); d.Size != typesize {
			t.Errorf("%s: dtype %v of %d bytes, want %d", e.Path, d, d.Size, typesize)
		} else if a.Parts == 7 && d.Kind != meta.Opaque && a.DType != "" && d.String() != a.DType {
			t.Errorf("%s: dtype %q written as %q", e.Path, a.DType, d.String())
		}
	})
	t.Logf("arrays by parts: %v, %d with a wrong number", parts, lied)
	if parts[5] == 0 || parts[6] == 0 || parts[7] == 0 || lied == 0 {
		t.Error("a form is missing")
	}
}

// catervaForms maps each version of caterva to the form of its descriptors. plain says
// that the items of its chunks are in C order.
var catervaForms = map[string]struct {
	form  meta.CatervaForm
	plain bool
}{
	"v0.1.0": {meta.CatervaLittleEndian, true},
	"v0.1.1": {meta.CatervaChunks, true},
	"v0.2.0": {meta.CatervaBlocks, true},
	"v0.2.2": {meta.CatervaBlocks, true},
	"v0.3.3": {meta.CatervaBlocks, true},
	"v0.4.0": {meta.CatervaBlocks, false},
	"v0.5.0": {meta.CatervaBlocks, false},
}

func TestCorpusCaterva(t *testing.T) {
	seen := map[string]int{}
	arrays(t, meta.CatervaName, func(e b2test.Entry, h *header.Header, b []byte) {
		c, err := meta.ParseCaterva(b)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			return
		}
		if out, err := c.Append(nil); err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: written as % x, read as % x: %v", e.Path, out, b, err)
		}
		blocksize := firstBlockSize(t, e, h)
		a, plain := c.B2ND(int(h.TypeSize), blocksize)
		if err := a.Validate(int(h.TypeSize)); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		if plain && a.ChunkBytes(int(h.TypeSize)) != int(h.ChunkSize) || !plain && a.BlockBytes(int(h.TypeSize)) != blocksize {
			t.Errorf("%s: %+v, chunks of %d bytes, blocks of %d", e.Path, a, h.ChunkSize, blocksize)
		}
		var want struct{ Shape []int64 }
		if e.Expect != nil {
			if err := json.Unmarshal(e.Expect.Raw, &want); err != nil {
				t.Fatal(err)
			}
		}
		if want.Shape != nil && !slices.Equal(a.Shape, want.Shape) {
			t.Errorf("%s: shape %v, want %v", e.Path, a.Shape, want.Shape)
		}
		_, version, _ := bytes.Cut([]byte(filepath.Base(filepath.Dir(e.Path))), []byte("-v"))
		seen[string(version)]++
		if w, ok := catervaForms["v"+string(version)]; ok && (c.Form != w.form || plain != w.plain) {
			t.Errorf("%s: form %d, plain %v; want %d, %v", e.Path, c.Form, plain, w.form, w.plain)
		}
	})
	t.Logf("caterva arrays by version: %v", seen)
	for v := range catervaForms {
		if seen[v[1:]] == 0 {
			t.Errorf("no array of caterva %s", v)
		}
	}
}

// firstBlockSize is the blocksize in the header of a frame's first chunk.
func firstBlockSize(t *testing.T, e b2test.Entry, h *header.Header) int {
	if h.NBytes == 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(e.Bytes(t)[h.Len()+8:]))
}
