package b2nd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// sources returns b as a source that can seek, and as sources that cannot.
func sources(b []byte) map[string]io.Reader {
	return map[string]io.Reader{
		"seekable": bytes.NewReader(b), "pipe": plain{bytes.NewReader(b)}, "halves": plain{iotest.HalfReader(bytes.NewReader(b))},
	}
}

// Every array written by genuine libraries is read front to back as Open reads it,
// whether the source can seek or not.
func TestReaderCorpus(t *testing.T) {
	n := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "b2nd" || e.Files != nil {
			continue
		}
		b := e.Bytes(t)
		a, err := openEntry(t, e)
		var want []byte
		if err == nil {
			want, err = a.ReadAll()
		}
		for name, src := range sources(b) {
			r, rerr := NewReader(src)
			var got []byte
			if rerr == nil {
				got, rerr = io.ReadAll(r)
			}
			switch {
			case err != nil && rerr == nil:
				t.Errorf("%s, %s: read, but Open says %v", e.Path, name, err)
			case err != nil:
			case rerr != nil:
				t.Errorf("%s, %s: %v", e.Path, name, rerr)
			case !bytes.Equal(got, want) || !slices.Equal(r.Shape(), a.Shape()) || r.DType().String() != a.DType().String():
				t.Errorf("%s, %s: %v %v with %d bytes", e.Path, name, r.Shape(), r.DType(), len(got))
			default:
				n++
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d arrays", n)
	}
	t.Logf("cases: %d arrays of every generation, read from three kinds of sources", n)
}

// The Reader returns what a Writer sends, whether the array grows or not, wherever it was
// flushed or checkpointed, and in reads of any length.
func TestReaderOfWriter(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(12, 7))
	for i := range 600 {
		g := randomGrid(t, r)
		data := randomBytes(r, g.items()*g.item)
		spec := Spec{Shape: slices.Clone(g.shape), ItemSize: int(g.item), ChunkShape: g.chunk, BlockShape: g.block}
		if len(g.shape) > 0 && product(g.shape[1:]) > 0 && i%2 == 0 {
			spec.Shape[0] = Unknown
		}
		var buf bytes.Buffer
		w, err := NewWriter(plain2{&buf}, spec, stream.Workers(1+i%2))
		if err != nil {
			t.Fatal(err)
		}
		for rest := data; len(rest) > 0; {
			k := min(1+r.IntN(len(data)), len(rest))
			if _, err := w.Write(rest[:k]); err != nil {
				t.Fatal(err)
			}
			rest = rest[k:]
			switch r.IntN(6) {
			case 0:
				err = w.Flush()
			case 1:
				if len(spec.Shape) > 0 && spec.Shape[0] == Unknown {
					err = w.Checkpoint()
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len())); err != nil || !slices.Equal(a.Shape(), g.shape) {
			t.Fatalf("%+v: Open: %v", spec, err)
		}
		for name, src := range sources(buf.Bytes()) {
			a, err := NewReader(src, Workers(1+i%3))
			if err != nil {
				t.Fatalf("%+v, %s: %v", spec, name, err)
			}
			var got []byte
			if i%5 == 0 {
				var out bytes.Buffer
				_, err = a.WriteTo(&out)
				got = out.Bytes()
			} else {
				got, err = readIn(r, a, len(data))
			}
			if err != nil || !bytes.Equal(got, data) || !slices.Equal(a.Shape(), g.shape) {
				t.Fatalf("%+v, %s: %v with %d of %d bytes, %v", spec, name, a.Shape(), len(got), len(data), err)
			}
			if n, err := a.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Fatalf("after the end: %d, %v", n, err)
			}
		}
	}
}

// readIn reads everything in pieces of random length.
func readIn(r *rand.Rand, src io.Reader, n int) (got []byte, err error) {
	for {
		p := make([]byte, 1+r.IntN(n+2))
		k, err := src.Read(p)
		got = append(got, p[:k]...)
		if err == io.EOF {
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
}

// Shape and type are known before any item, each slab is returned when the next has
// begun, and several arrays can follow each other on the same pipe.
func TestReaderLive(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, chunkRows := range []int64{1, 4} {
		pr, pw := io.Pipe()
		next, failed := make(chan int64), make(chan error, 1)
		go func() {
			var err error
			for range 2 {
				var w *Writer
				w, err = NewWriter(pw, Spec{Shape: []int64{Unknown, 3}, DType: "<i2", ChunkShape: []int64{chunkRows, 2}, BlockShape: []int64{1, 2}}, stream.Workers(1))
				err = errors.Join(err, w.Flush())
				at := int64(0)
				for rows := range next {
					for range rows {
						_, e := WriteSlice(w, []int16{int16(at), int16(at + 1), int16(at + 2)})
						err = errors.Join(err, e)
						at += 3
					}
					err = errors.Join(err, w.Flush())
					if rows == 0 {
						break
					}
				}
				err = errors.Join(err, w.Close())
			}
			failed <- err
		}()
		for range 2 {
			a, err := NewReader(pr, Workers(2))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Shape(), []int64{Unknown, 3}) || a.DType().String() != "<i2" || a.Spec().Shape[0] != Unknown {
				t.Errorf("%v %v", a.Shape(), a.DType())
			}
			got := make([]int16, 3)
			next <- chunkRows
			if chunkRows > 1 {
				next <- chunkRows
			}
			for row := range chunkRows {
				if n, err := ReadSlice(a, got); n != 3 || err != nil || got[0] != int16(3*row) {
					t.Errorf("row %d: %v, %v", row, got, err)
				}
			}
			next <- 1 // the last slab is short
			next <- 0
			rest := make([]int16, 100)
			n, err := ReadSlice(a, rest)
			want := 3 * (chunkRows + 1)
			if chunkRows == 1 {
				want = 3
			}
			if int64(n) != want || err != nil || rest[0] != int16(3*chunkRows) {
				t.Errorf("%d items at the end, %v", n, err)
			}
			if rows := a.Shape()[0]; rows != chunkRows+want/3 {
				t.Errorf("%d rows at the end", rows)
			}
			if n, err := ReadSlice(a, rest); n != 0 || err != io.EOF {
				t.Errorf("after the end: %d, %v", n, err)
			}
		}
		if err := <-failed; err != nil {
			t.Error(err)
		}
		pw.Close()
	}
}

// If an array is truncated anywhere, the items returned before the error are right.
func TestReaderTorn(t *testing.T) {
	data := randomBytes(rand.New(rand.NewPCG(2, 9)), 23*5*4)
	for _, rows := range []int64{23, Unknown} {
		var buf bytes.Buffer
		w, err := NewWriter(plain2{&buf}, Spec{Shape: []int64{rows, 5}, DType: "<f4", ChunkShape: []int64{4, 3}, BlockShape: []int64{3, 2}})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Flush() // the header has been written, and the frame is not sealed
		_, werr := w.Write(data)
		if err := errors.Join(err, werr, w.Close()); err != nil {
			t.Fatal(err)
		}
		for n := range buf.Len() {
			for name, src := range sources(buf.Bytes()[:n]) {
				a, err := NewReader(src, Workers(1))
				var got []byte
				if err == nil {
					got, err = io.ReadAll(a)
				}
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%s, %d bytes: %v", name, n, err)
				}
				if !bytes.HasPrefix(data, got) {
					t.Fatalf("%s, %d bytes: other items", name, n)
				}
			}
		}
	}
}

// The repaired array of a Writer that died is read as Open reads it: all whole
// slabs, and nothing of an incomplete one.
func TestReaderRepaired(t *testing.T) {
	dir := t.TempDir()
	data := randomBytes(rand.New(rand.NewPCG(2, 10)), 20*5*4)
	for cut := range int64(120) {
		path := filepath.Join(dir, "a")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWriter(file, Spec{Shape: []int64{Unknown, 5}, DType: "<f4", ChunkShape: []int64{4, 3}, BlockShape: []int64{3, 2}}, stream.Workers(1))
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write(data)
		err = errors.Join(err, w.Flush())
		info, serr := file.Stat()
		if err := errors.Join(err, serr); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Truncate(info.Size()-cut*5), file.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := frame.RepairFile(path, path+"2"); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path + "2")
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		a, err := Open(bytes.NewReader(b), int64(len(b)))
		if err == nil {
			want, err = a.ReadAll()
		}
		for name, src := range sources(b) {
			r, rerr := NewReader(src)
			var got []byte
			if rerr == nil {
				got, rerr = io.ReadAll(r)
			}
			if (err == nil) != (rerr == nil) || err == nil && (!bytes.Equal(got, want) || !slices.Equal(r.Shape(), a.Shape())) {
				t.Fatalf("%d bytes cut, %s: %d bytes, %v; Open reads %d, %v", cut*5, name, len(got), rerr, len(want), err)
			}
		}
	}
}

// Errors describe the fault, and are sticky.
func TestReaderErrors(t *testing.T) {
	defer goleak.VerifyNone(t)
	var bare, wide bytes.Buffer
	w, err := stream.NewWriter(&bare)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(make([]byte, 100))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := NewReader(plain{&bare}); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("a frame that is not an array: %v", err)
	}
	if _, err := NewReader(plain{bytes.NewReader(nil)}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("nothing: %v", err)
	}
	spec := Spec{Shape: []int64{1 << 20, 200000}, DType: "<f8", ChunkShape: []int64{1000, 1000}, BlockShape: []int64{100, 100}}
	if err := Zeros(&wide, spec); err != nil {
		t.Fatal(err)
	}
	if _, err := NewReader(bytes.NewReader(wide.Bytes())); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("a slab of 1.6 GB: %v", err)
	}
	if r, err := NewReader(bytes.NewReader(wide.Bytes()), MaxAlloc(1700<<20)); err != nil {
		t.Errorf("allowed: %v", err)
	} else {
		r.Close()
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, blosc2.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	}
	if _, err := NewReader(plain{bytes.NewReader(wide.Bytes())}, MaxAlloc(1700<<20), StreamOptions(stream.SpoolLimit(0, -1))); err == nil {
		t.Error("an index alone was read front to back")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	pr, pw := io.Pipe()
	go func() { cancel(errEnough); pw.CloseWithError(errEnough) }()
	if _, err := NewReader(pr, StreamOptions(stream.Context(ctx))); !errors.Is(err, errEnough) {
		t.Errorf("cancelled: %v", err)
	}
}

var errEnough = errors.New("enough")

// Arrays of C-Blosc2, which must be read by their index, are read from a pipe.
func TestReaderOfC(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		r := rand.New(rand.NewPCG(17, 18))
		dir := t.TempDir()
		in, path := filepath.Join(dir, "a.bin"), filepath.Join(dir, "a.b2nd")
		faults, n := 0, rounds()/2
		for range n {
			tr := randomTrial(t, r, 6)
			if product(tr.spec.Shape) == 0 {
				continue
			}
			if err := os.WriteFile(in, tr.data, 0o644); err != nil {
				t.Fatal(err)
			}
			tr.writeWith(t, lib, in, path)
			if tr.misplaced(t, lib, dir) {
				faults++
				continue
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for name, src := range sources(b) {
				a, err := NewReader(src, StreamOptions(stream.SpoolLimit(1<<10, 0)))
				var got []byte
				if err == nil {
					got, err = io.ReadAll(a)
				}
				if err != nil || !bytes.Equal(got, tr.data) {
					t.Fatalf("%v: %+v, %s: %d bytes, %v", lib, tr.spec, name, len(got), err)
				}
			}
		}
		t.Logf("cases: %d arrays of %v; %d left out that it misplaces", n, lib, faults)
	}
}

// Index-only special chunks are items like any others.
func TestReaderSpecial(t *testing.T) {
	var buf bytes.Buffer
	spec := Spec{Shape: []int64{5, 7}, DType: "<i4", ChunkShape: []int64{2, 3}, BlockShape: []int64{2, 2}}
	if err := Full(&buf, spec, []byte{7, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	for _, src := range sources(buf.Bytes()) {
		a, err := NewReader(src)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int32, 40)
		if n, err := ReadSlice(a, got); n != 35 || err != nil || got[34] != 7 || got[0] != 7 {
			t.Errorf("%d, %v: %v", n, err, got)
		}
	}
	if got := fmt.Sprint(spec.Shape); got != "[5 7]" {
		t.Errorf("the Spec was changed to %s", got)
	}
}
