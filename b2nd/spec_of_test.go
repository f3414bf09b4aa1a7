package b2nd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Spec and a Writer reproduce every array of the corpus whose codec can be written, with
// the same items.
func TestSpecOfCorpus(t *testing.T) {
	made := 0
	for _, e := range b2test.Corpus(t) {
		if e.Payload == nil || e.Kind == "sframe" || e.Files != nil {
			continue
		}
		b := e.Bytes(t)
		a, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil || a.Size() > 4<<20 {
			continue
		}
		data, err := a.ReadAll()
		if err != nil {
			continue
		}
		spec := a.Spec()
		var buf bytes.Buffer
		w, err := NewWriter(&buf, spec, stream.Spool(0), stream.Legacy())
		if err != nil {
			t.Errorf("%s: %+v: %v", e.Path, spec, err)
			continue
		}
		_, err = w.Write(data)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		again, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if got := again.Spec(); !sameSpec(spec, got) {
			t.Errorf("%s:\n%+v %+v\n%+v %+v", e.Path, spec, *spec.Params, got, *got.Params)
		}
		got, err := again.ReadAll()
		if err != nil || e.Payload.Lossy == "" && !slices.Contains(spec.Params.Filters.IDs[:], blosc2.FilterNDMean) && !bytes.Equal(got, data) {
			t.Errorf("%s: other items, %v", e.Path, err)
		}
		made++
	}
	if made < 100 {
		t.Errorf("only %d arrays", made)
	}
	t.Logf("cases: %d arrays", made)
}

// sameSpec reports whether b agrees with a: items without a dtype are written as
// plain bytes, and old frames do not record how blocks are split.
func sameSpec(a, b Spec) bool {
	if a.DType == "" {
		b.DType = a.DType
	}
	p := *a.Params
	if p.Split == blosc2.SplitDefault {
		p.Split = blosc2.SplitForward // a frame that does not record the mode has the default
	}
	a.Params = &p
	return reflect.DeepEqual(a, b)
}

// C-Blosc2 reads the same partition and pipeline from our copy of its array.
func TestSpecThroughC(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		dir := t.TempDir()
		in, path, again, out := filepath.Join(dir, "in"), filepath.Join(dir, "a.b2nd"), filepath.Join(dir, "b.b2nd"), filepath.Join(dir, "out")
		data := bytes.Repeat([]byte{1, 0, 2, 0, 0, 3}, 30*17*4/6)
		if err := os.WriteFile(in, data, 0o644); err != nil {
			t.Fatal(err)
		}
		lib.Run(t, "write-b2nd", "--shape", "30,17", "--chunkshape", "7,5", "--blockshape", "3,5", "--dtype", ">i4",
			"--codec", "zstd", "--clevel", "7", "--filters", "delta,bitshuffle", in, path)
		a, err := OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		file, err := os.Create(again)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWriter(file, a.Spec())
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.WriteTo(w)
		if err := errors.Join(err, w.Close(), file.Close()); err != nil {
			t.Fatal(err)
		}
		b, err := OpenFile(again)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		h := b.Frame().Header()
		want := filters.Pipeline{}
		want.IDs[4], want.IDs[5] = blosc2.FilterDelta, blosc2.FilterBitShuffle
		if h.Codec != blosc2.CodecZstd || h.Level != 7 || h.Filters.IDs != want.IDs {
			t.Errorf("%v: %v level %d, %v", lib, h.Codec, h.Level, h.Filters)
		}
		lib.Run(t, "read-b2nd", again, out)
		if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%v reads other bytes from the copy: %v", lib, err)
		}
	}
}

// An unknown dtype is kept, also in a copy.
func TestSpecOpaque(t *testing.T) {
	spec := Spec{Shape: []int64{3}, DType: "something new", ItemSize: 6}
	if _, _, err := (&Spec{Shape: []int64{3}, DType: "something new"}).plan(); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("without a size: %v", err)
	}
	a := written(t, spec, []byte("abcdefghijklmnopqr"))
	if a.DType().Kind != meta.Opaque || a.Spec().DType != spec.DType || a.ItemSize() != 6 {
		t.Errorf("%v, %+v", a.DType(), a.Spec())
	}
	if _, err := Read[[6]byte](a, nil); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("typed: %v", err)
	}
}

// Options override the Spec's Params, which are not changed.
func TestSpecParams(t *testing.T) {
	p := chunk.Params{Codec: blosc2.CodecZlib, Level: 3, Filters: filters.Default()}
	before := p
	a := written(t, Spec{Shape: []int64{4}, DType: "<i2", Params: &p}, make([]byte, 8), stream.Level(8))
	if h := a.Frame().Header(); h.Codec != blosc2.CodecZlib || h.Level != 8 {
		t.Errorf("%v, level %d", h.Codec, h.Level)
	}
	if !reflect.DeepEqual(p, before) {
		t.Errorf("changed to %+v", p)
	}
	if s := a.Spec(); !slices.Equal(s.Shape, []int64{4}) || s.DType != "<i2" || s.Params.Level != 8 {
		t.Errorf("%+v", s)
	}
	a.Spec().Shape[0] = 99 // the caller may change the Spec
	if a.Shape()[0] != 4 {
		t.Error("the array's own shape has changed")
	}
}
