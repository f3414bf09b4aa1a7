package b2nd_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// AppendFile continues a log of rows in whatever state its last writer left it.
func TestAppendFile(t *testing.T) {
	libs := b2test.Oracles(t)
	spec := b2nd.Spec{Shape: []int64{b2nd.Unknown, 2}, DType: "<f8"}
	path := filepath.Join(t.TempDir(), "log.b2nd")
	src := newRecords()
	var all []byte
	for round, state := range []string{"missing", "closed", "died after a flush", "died after a checkpoint and a flush", "closed", "piped", "torn"} {
		w, err := b2nd.AppendFile(path, spec)
		if err != nil {
			t.Fatalf("%s: %v", state, err)
		}
		if n := w.Shape()[0]; n != int64(len(all)/16) {
			t.Fatalf("%s: %d rows, want %d", state, n, len(all)/16)
		}
		if want := map[int]int64{3: 7, 4: 7}[round]; w.Recovered() != want {
			t.Errorf("%s: %d rows recovered, want %d", state, w.Recovered(), want)
		}
		if _, err := b2nd.AppendFile(path, spec, stream.LockWait(0)); !errors.Is(err, blosc2.ErrLocked) {
			t.Errorf("a second writer: %v", err)
		}
		add := func(n int) {
			at := len(all)
			all = src.append(all, n)
			_, err := w.Write(all[at:])
			must(t, err)
		}
		switch round {
		case 2, 3:
			if round == 3 {
				add(3)
				must(t, w.Checkpoint())
			}
			add(7)
			must(t, w.Flush())
			_, err = w.Write(make([]byte, 16)) // this row is not flushed, so it may be lost
			must(t, err)
			w.Abort(nil)
		case 4: // write the file as it would arrive through a pipe
			add(5)
			must(t, w.Close())
			var buf bytes.Buffer
			pipe, err := b2nd.NewWriter(struct{ *bytes.Buffer }{&buf}, spec)
			must(t, err)
			_, err = pipe.Write(all)
			must(t, errors.Join(err, pipe.Close(), os.WriteFile(path, buf.Bytes(), 0o666)))
		default:
			add(4)
			must(t, w.Close())
		}
		if round != 2 && round != 3 {
			readsAs(t, libs, path, all)
		}
	}
	other := spec
	for name, change := range map[string]func(){
		"dtype": func() { other.DType = "<i8" }, "width": func() { other.Shape = []int64{b2nd.Unknown, 3} },
		"known": func() { other.Shape = []int64{5, 2} }, "chunks": func() { other.ChunkShape = []int64{3, 2} },
	} {
		other = spec
		change()
		var oe *blosc2.OptionError
		if _, err := b2nd.AppendFile(path, other); !errors.As(err, &oe) {
			t.Errorf("%s: %v", name, err)
		}
	}
	readsAs(t, libs, path, all)
	if err := os.WriteFile(path, []byte("not a frame at all"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.AppendFile(path, spec); !errors.Is(err, blosc2.ErrNotBlosc2) {
		t.Errorf("no frame: %v", err)
	}
}

// The array determines the size of its chunks, even if it is continued with the options
// with which it was created.
func TestAppendIgnoresChunkSize(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.b2nd")
	spec, err := b2nd.SpecOf[int32](b2nd.Unknown, 3)
	must(t, err)
	for n := range 3 {
		w, err := b2nd.AppendFile(name, spec, stream.ChunkSize(1000))
		if err != nil {
			t.Fatalf("start %d: %v", n, err)
		}
		_, err = b2nd.WriteSlice(w.Writer, []int32{1, 2, int32(n)})
		must(t, err)
		must(t, w.Close())
	}
	a, err := b2nd.OpenFile(name)
	must(t, err)
	defer a.Close()
	if shape := a.Shape(); !slices.Equal(shape, []int64{3, 3}) {
		t.Errorf("shape %v", shape)
	}
}

// Rows of a lossless array are not compressed again with a lossy filter.
func TestAppendLossy(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.b2nd")
	spec := b2nd.Spec{Shape: []int64{b2nd.Unknown}, DType: "<f4", ChunkShape: []int64{100}}
	row := binary.LittleEndian.AppendUint32(nil, math.Float32bits(math.Pi))
	add := func(rows int, opts ...stream.WriterOption) error {
		w, err := b2nd.AppendFile(name, spec, opts...)
		if err != nil {
			return err
		}
		_, err = w.Write(bytes.Repeat(row, rows))
		return errors.Join(err, w.Close())
	}
	coarsely, err := filters.Parse("trunc_prec:4,shuffle")
	if err != nil {
		t.Fatal(err)
	}
	coarse := stream.Filters(coarsely)
	if err := add(150); err != nil {
		t.Fatal(err)
	}
	if err := add(50, coarse); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("lossy, into a chunk of 50 rows: %v", err)
	}
	if err := errors.Join(add(50), add(100, coarse)); err != nil {
		t.Error(err)
	}
	a, err := b2nd.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	got, err := a.ReadAll()
	if err != nil || !bytes.Equal(got[:800], bytes.Repeat(row, 200)) || bytes.Equal(got[800:804], row) {
		t.Errorf("% x after 200 rows, and then % x: %v", got[796:800], got[800:804], err)
	}
}
