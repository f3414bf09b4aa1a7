package b2nd

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// connections returns both ends of a system pipe and of a TCP connection.
func connections(t *testing.T) map[string][2]io.ReadWriteCloser {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	from, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	to, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return map[string][2]io.ReadWriteCloser{"pipe": {w, r}, "socket": {from, to}}
}

// An array of unknown length is sent through a pipe or a socket into a file. This package
// reads the file as it arrived, and C-Blosc2 reads it after it is sealed.
func TestGrowingThroughPipes(t *testing.T) {
	libs := b2test.Oracles(t)
	const rows, columns = 1234, 31
	data := randomBytes(rand.New(rand.NewPCG(1, 3)), rows*columns*4)
	for name, ends := range connections(t) {
		failed := make(chan error, 1)
		go func() {
			defer ends[0].Close()
			w, err := NewWriter(ends[0], Spec{Shape: []int64{Unknown, columns}, DType: "<i4", ChunkShape: []int64{100, 10}, BlockShape: []int64{10, 10}})
			for at := 0; at < rows && err == nil; at += 7 {
				_, err = w.Write(data[at*columns*4 : min(at+7, rows)*columns*4])
				if err == nil && at%70 == 0 {
					err = w.Flush()
				}
			}
			if err == nil {
				err = w.Close()
			}
			failed <- err
		}()
		b, err := io.ReadAll(ends[1])
		if err != nil {
			t.Fatal(err)
		}
		ends[1].Close()
		if err := <-failed; err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "a.b2nd")
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		check := func(when string) {
			a, err := OpenFile(path)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, when, err)
			}
			defer a.Close()
			if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, data) || !slices.Equal(a.Shape(), []int64{rows, columns}) {
				t.Errorf("%s, %s: %v with %d bytes, %v", name, when, a.Shape(), len(got), err)
			}
		}
		check("as it came")
		if err := frame.SealFile(path); err != nil {
			t.Fatal(err)
		}
		check("sealed")
		for _, lib := range libs {
			if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: C-Blosc2 %d reads %d bytes, %v", name, lib.Major, len(got), err)
			}
		}
	}
}

// After a Checkpoint the file is an array of all rows so far, which C-Blosc2 reads too.
// Later writes do not change these rows.
func TestCheckpoint(t *testing.T) {
	libs := b2test.Oracles(t) // must be called first, because it skips the test without the libraries
	const columns = 9
	data := randomBytes(rand.New(rand.NewPCG(4, 3)), 47*columns*2)
	path := filepath.Join(t.TempDir(), "a.b2nd")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := NewWriter(file, Spec{Shape: []int64{Unknown, columns}, DType: "<i2", ChunkShape: []int64{5, 4}, BlockShape: []int64{2, 4}})
	if err != nil {
		t.Fatal(err)
	}
	check := func(rows int64) {
		t.Helper()
		want := data[:rows*columns*2]
		a, err := OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d rows: %v of %d bytes, %v", rows, a.Shape(), len(got), err)
		}
		for _, lib := range libs {
			if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d rows: C-Blosc2 %d reads %d bytes, %v", rows, lib.Major, len(got), err)
			}
		}
	}
	at := 0
	for _, rows := range []int{3, 12, 12, 31, 40} {
		if _, err := w.Write(data[at*columns*2 : rows*columns*2]); err != nil {
			t.Fatal(err)
		}
		at = rows
		if err := w.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		check(int64(rows))
	}
	if _, err := w.Write(data[at*columns*2:]); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	check(47)
}

// Shape counts the rows of the written slabs, and counts no row twice.
func TestGrowingShape(t *testing.T) {
	w, err := NewWriter(io.Discard, Spec{Shape: []int64{Unknown, 2}, DType: "|u1", ChunkShape: []int64{4, 2}, BlockShape: []int64{4, 2}}, stream.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{0, 0, 0, 4, 4} {
		if _, err := w.Write([]byte{1, 2}); err != nil {
			t.Fatal(err)
		}
		if got := w.Shape()[0]; got != want {
			t.Errorf("%d rows after %d", got, i+1)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := w.Shape()[0]; got != 5 {
		t.Errorf("%d rows at the end", got)
	}
}

// A growing array that fits into one slab has a header with its shape and the parameters
// that Auto chose, in a file and in a sink that cannot be patched.
func TestGrowingOneSlab(t *testing.T) {
	data := make([]byte, 5000*4*4)
	for i := range len(data) / 4 {
		binary.LittleEndian.PutUint32(data[i*4:], uint32(i*i>>8))
	}
	spec := Spec{Shape: []int64{Unknown, 4}, DType: "<i4"}
	write := func(sink io.Writer) {
		t.Helper()
		w, err := NewWriter(sink, spec, stream.Auto(tune.Archive))
		if err == nil {
			_, err = w.Write(data)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if p := w.Chosen(); p.Ratio <= 1 || p.Params.TypeSize != 4 {
			t.Errorf("chosen: %+v", p)
		}
	}
	path := filepath.Join(t.TempDir(), "rows.b2nd")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write(file)
	inFile, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var piped bytes.Buffer
	write(&piped)
	for name, b := range map[string][]byte{"file": inFile, "pipe": piped.Bytes()} {
		f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		h, err := f.ChunkHeader(0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := f.Header(); got.Codec != h.Codec || got.Filters != h.Filters {
			t.Errorf("%s: the header has %v and %v, its chunk %v and %v", name, got.Codec, got.Filters, h.Codec, h.Filters)
		}
		value, _ := f.Metalayer(meta.B2NDName)
		desc, err := meta.ParseB2ND(value)
		if err != nil || desc.Shape[0] != 5000 {
			t.Errorf("%s: the header has shape %v, %v", name, desc.Shape, err)
		}
		if _, ok, err := f.VLMeta(meta.B2NDName); ok || err != nil {
			t.Errorf("%s: vlmetalayer b2nd: %v, %v; want none", name, ok, err)
		}
	}
}
