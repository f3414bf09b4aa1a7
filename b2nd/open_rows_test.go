package b2nd_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A readCounter counts the bytes that are read from a file.
type readCounter struct {
	*os.File
	n atomic.Int64
}

func (c *readCounter) ReadAt(p []byte, off int64) (int, error) {
	c.n.Add(int64(len(p)))
	return c.File.ReadAt(p, off)
}

// Refresh finds flushed rows in any layout. It reads only these rows and a few hundred
// bytes more, and the last chunk still has its digest.
func TestRefreshRows(t *testing.T) {
	for name, spec := range layouts {
		path := filepath.Join(t.TempDir(), name)
		w, err := b2nd.AppendFile(path, spec)
		must(t, err)
		defer w.Abort(nil)
		data := newRecords().append(nil, 1000)
		_, err = w.Write(data[:70*rowLen])
		must(t, err)
		must(t, w.Flush())
		file, err := os.Open(path)
		must(t, err)
		defer file.Close()
		c := &readCounter{File: file}
		size := func() int64 {
			info, err := file.Stat()
			must(t, err)
			return info.Size()
		}
		f, err := frame.Open(c, size(), frame.AllowTorn())
		must(t, err)
		cheap := 0
		for at := 71; at <= 300; at++ {
			_, err = w.Write(data[(at-1)*rowLen : at*rowLen])
			must(t, err)
			must(t, w.Flush())
			if at%50 == 0 {
				must(t, w.Checkpoint())
			}
			before := c.n.Load()
			if f, err = f.Refresh(size()); err != nil {
				t.Fatalf("%s, %d rows: %v", name, at, err)
			}
			if n, ok := f.Rows(); !ok || n != int64(at) {
				t.Fatalf("%s: %d rows of %d", name, n, at)
			}
			if c.n.Load()-before < 800 {
				cheap++
			}
			last, err := f.Chunk(nil, f.NumChunks()-1)
			must(t, err)
			if at%7 == 0 {
				for c, err := range f.Chunks(f.NumChunks() - 1) { // this iterator compares each chunk with its digest
					if errors.Is(err, io.ErrUnexpectedEOF) { // the frame's writer is still active
						break
					}
					must(t, err)
					if !bytes.Equal(c.Data, last) {
						t.Fatalf("%s, %d rows: the last chunk reads in two ways", name, at)
					}
				}
			}
			if name == "flat" && !bytes.HasPrefix(last, data[(at-1)/64*64*rowLen:at*rowLen]) {
				t.Fatalf("%s, %d rows: the last chunk has other bytes", name, at)
			}
		}
		if cheap < 200 {
			t.Errorf("%s: %d of 230 refreshes read less than 800 bytes", name, cheap)
		}
	}
}

// DropTail drops the rows that were not committed, durably: no reader finds them
// again.
func TestDropTailOfRows(t *testing.T) {
	for name, spec := range layouts {
		data, others := newRecords().append(nil, 500), bytes.Repeat([]byte{9}, 500*rowLen)
		for _, committed := range []int{10, 64, 130} {
			for _, flushed := range []int{0, 5, 60, 200} {
				path := filepath.Join(t.TempDir(), "log")
				file, err := os.Create(path)
				must(t, err)
				w, err := b2nd.NewWriter(file, spec, stream.Workers(1))
				must(t, err)
				_, err = w.Write(data[:committed*rowLen])
				must(t, err)
				must(t, w.Checkpoint())
				at := committed + flushed
				_, err = w.Write(data[committed*rowLen : at*rowLen])
				must(t, err)
				must(t, w.Flush()) // the file as the death of its writer leaves it
				info, err := file.Stat()
				must(t, err)
				w, err = b2nd.Append(file, info.Size(), stream.DropTail(), stream.Workers(1))
				must(t, err)
				kept := int(w.Shape()[0])
				// A writer commits before it reuses space.
				if kept < committed || kept > at || flushed < 60-committed%64 && kept != committed {
					t.Errorf("%s: %d rows, %d committed and %d flushed", name, kept, committed, flushed)
				}
				want := append(bytes.Clone(data[:kept*rowLen]), others[:100*rowLen]...)
				check := func(when string, want []byte) {
					a, err := b2nd.OpenFile(path)
					must(t, err)
					got, err := a.ReadAll()
					must(t, err)
					if !bytes.Equal(got, want) {
						t.Errorf("%s, %s: %d rows of %d, or others", name, when, len(got)/rowLen, len(want)/rowLen)
					}
					a.Close()
				}
				check("dropped", want[:kept*rowLen])
				_, err = w.Write(others[:100*rowLen])
				must(t, err)
				must(t, w.Flush())
				check("flushed", want)
				must(t, w.Close())
				check("closed", want)
				must(t, file.Close())
			}
		}
	}
}

// A Flush of rows to a file does not allocate.
func TestFlushRowsAllocates(t *testing.T) {
	w, err := b2nd.AppendFile(filepath.Join(t.TempDir(), "log"), b2nd.Spec{Shape: []int64{b2nd.Unknown, 2}, DType: "<f8"})
	must(t, err)
	defer w.Abort(nil)
	rows := newRecords().append(nil, 10)
	step := func() {
		_, err := w.Write(rows)
		must(t, err)
		must(t, w.Flush())
	}
	step()
	if n := testing.AllocsPerRun(200, step); n >= 1 {
		t.Errorf("%.2f allocations", n)
	}
}

// Opening, refreshing and continuing a log of rows with any contents does not
// panic.
func FuzzOpenRows(f *testing.F) {
	for _, spec := range layouts {
		for _, checks := range []bool{true, false} {
			path := filepath.Join(f.TempDir(), "log")
			file, err := os.Create(path)
			must(f, err)
			w, err := b2nd.NewWriter(file, spec, stream.Workers(1), stream.Checks(checks))
			must(f, err)
			var states [][]byte
			for i, n := range []int{10, 3, 60, 5} {
				_, err := w.Write(newRecords().append(nil, n))
				must(f, err)
				must(f, w.Flush())
				if i == 1 {
					must(f, w.Checkpoint())
				}
				b, err := os.ReadFile(path)
				must(f, err)
				states = append(states, b)
			}
			for i := range states {
				f.Add(states[i], states[min(i+1, len(states)-1)])
			}
			w.Abort(nil)
			must(f, file.Close())
		}
	}
	f.Fuzz(func(t *testing.T, b, later []byte) {
		defer b2test.Cost(t)()
		limits := frame.WithLimits(frame.Limits{Header: 1 << 16, Index: 1 << 16, Trailer: 1 << 16, Chunk: 1 << 18, Total: 1 << 24})
		src := &changing{b: b}
		if r, err := frame.Open(src, int64(len(b)), limits, frame.AllowTorn()); err == nil {
			src.b = later // as if its writer had continued
			if now, err := r.Refresh(int64(len(later))); err == nil && now.NumChunks() > 0 {
				now.Chunk(nil, now.NumChunks()-1)
			}
			if r.NumChunks() > 0 {
				r.Chunk(nil, r.NumChunks()-1)
			}
		}
		if a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.MaxAlloc(1<<20), b2nd.Workers(1)); err == nil {
			if all, err := a.ReadAll(); err == nil && int64(len(all)) != a.Size() {
				t.Fatalf("%d bytes of an array of %d", len(all), a.Size())
			}
		}
	})
}

// A changing is a source with bytes that change.
type changing struct{ b []byte }

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(c.b).ReadAt(p, off)
}

// A power failure can lose a slab and keep the rows flushed after it. The next writer
// continues before these rows, and no reader may mistake them for rows of that writer: if
// slabs are incompressible, nothing else is written at the offset of the next open slab.
func TestOrphanRows(t *testing.T) {
	for name, spec := range layouts {
		data, others := make([]byte, 300*rowLen), bytes.Repeat([]byte{9}, rowLen)
		rand.NewChaCha8([32]byte{}).Read(data)
		path := filepath.Join(t.TempDir(), "log")
		file, err := os.Create(path)
		must(t, err)
		defer file.Close()
		w, err := b2nd.NewWriter(file, spec, stream.Workers(1))
		must(t, err)
		var kept []byte // the file with 70 rows: a slab and 6
		for at := 1; at <= 3*64+40; at++ {
			_, err = w.Write(data[(at-1)*rowLen : at*rowLen])
			must(t, err)
			must(t, w.Flush())
			if at == 70 {
				kept, err = os.ReadFile(path)
				must(t, err)
			}
		}
		// Everything after these 70 rows is lost, except the open slab at the end.
		_, err = file.WriteAt(kept, 0)
		must(t, err)
		w, err = b2nd.Append(file, fileSize(t, file), stream.Workers(1))
		must(t, err)
		if n := w.Shape()[0]; n != 70 {
			t.Fatalf("%s: %d rows are there, want 70", name, n)
		}
		want := bytes.Clone(data[:70*rowLen])
		for at := 71; at <= 250; at++ {
			row := others
			if at <= 3*64 { // so that the last slab begins where the remaining open slab does
				row = data[(at-1)*rowLen : at*rowLen]
			}
			want = append(want, row...)
			_, err = w.Write(row)
			must(t, err)
			must(t, w.Flush())
			a, err := b2nd.OpenFile(path)
			must(t, err)
			got, err := a.ReadAll()
			must(t, err)
			must(t, a.Close())
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: %d rows of %d, or others", name, len(got)/rowLen, at)
			}
		}
		must(t, w.Close())
	}
}

func fileSize(t *testing.T, f *os.File) int64 {
	t.Helper()
	info, err := f.Stat()
	must(t, err)
	return info.Size()
}

// A size determined before the Writer extended the file does not cause a panic: the
// array is read as it is now.
func TestOpenWithFormerSize(t *testing.T) {
	for name, spec := range layouts {
		for _, commit := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "rows")
			w, err := b2nd.AppendFile(path, spec)
			must(t, err)
			data := newRecords().append(nil, 150)
			_, err = w.Write(data[:130*rowLen])
			must(t, errors.Join(err, w.Flush()))
			if commit {
				must(t, w.Checkpoint())
			}
			_, err = w.Write(data[130*rowLen:])
			must(t, errors.Join(err, w.Flush()))
			file, err := os.Open(path)
			must(t, err)
			defer file.Close()
			info, err := file.Stat()
			must(t, err)
			for size := int64(300); size <= info.Size(); size += 7 {
				a, err := b2nd.Open(file, size, b2nd.FrameOptions(frame.AllowTorn()))
				if err != nil {
					t.Fatalf("%s, committed %t, size %d of %d: %v", name, commit, size, info.Size(), err)
				}
				got, err := a.ReadAll()
				if err != nil || !bytes.Equal(got, data[:len(got)]) {
					t.Errorf("%s, committed %t, size %d of %d: %d rows, or others: %v", name, commit, size, info.Size(), len(got)/rowLen, err)
				}
			}
			die(t, w)
		}
	}
}

// Verify counts the rows that were flushed but not committed, not the chunks that
// will hold them.
func TestVerifyCountsRows(t *testing.T) {
	for name, spec := range layouts {
		for _, committed := range []int{0, 30, 64, 100} {
			path := filepath.Join(t.TempDir(), "rows")
			w, err := b2nd.AppendFile(path, spec)
			must(t, err)
			data := newRecords().append(nil, committed+40)
			if committed > 0 {
				_, err = w.Write(data[:committed*rowLen])
				must(t, errors.Join(err, w.Checkpoint()))
			}
			_, err = w.Write(data[committed*rowLen:])
			must(t, errors.Join(err, w.Flush()))
			b, err := os.ReadFile(path)
			must(t, err)
			rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
			must(t, errors.Join(err, rep.Err()))
			f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
			must(t, err)
			value, _ := f.Metalayer(meta.B2NDName)
			desc, err := meta.ParseB2ND(value) // the Writer may have committed a whole slab by itself
			must(t, err)
			if want := (int64(committed) + 40 - desc.Shape[0]) * rowLen; desc.Shape[0] < int64(committed) || rep.Flushed != want {
				t.Errorf("%s, %d rows committed, %d by the header: %d bytes flushed, want %d", name, committed, desc.Shape[0], rep.Flushed, want)
			}
			die(t, w)
		}
	}
}
