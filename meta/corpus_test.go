package meta_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// metalayer gives the value of a metalayer that the manifest holds.
func metalayer(t testing.TB, e b2test.Entry, name string) ([]byte, bool) {
	if e.Expect == nil {
		return nil, false
	}
	for _, l := range e.Expect.Metalayers {
		if l.Name == name && l.Content != "" {
			b, err := hex.DecodeString(l.Content)
			if err != nil {
				t.Fatal(err)
			}
			return b, true
		}
	}
	return nil, false
}

func TestCorpusB2ND(t *testing.T) {
	parts := map[int]int{}
	lied := 0
	for _, e := range b2test.Corpus(t) {
		b, ok := metalayer(t, e, meta.B2NDName)
		if !ok {
			continue
		}
		a, err := meta.ParseB2ND(b)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		parts[a.Parts]++
		if b[0] != 0x90+byte(a.Parts) {
			lied++
		}
		if out, err := a.Append(nil); err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: written as % x, read as % x: %v", e.Path, out, b, err)
		}
		typesize := int(*e.Expect.TypeSize)
		if err := a.Validate(typesize); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		if got, want := int64(a.ChunkBytes(typesize)), *e.Expect.ChunkSize; got != want && want != 0 {
			t.Errorf("%s: chunks of %d bytes, want %d", e.Path, got, want)
		}
		if w := e.Expect.B2ND; w != nil {
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
	}
	t.Logf("arrays by parts: %v, %d with a wrong number", parts, lied)
	if parts[5] == 0 || parts[6] == 0 || parts[7] == 0 || lied == 0 {
		t.Error("a form is missing")
	}
}
