package b2nd_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A counted is a file that counts writes.
type counted struct {
	*os.File
	written int64
}

func (c *counted) WriteAt(p []byte, off int64) (int, error) {
	c.written += int64(len(p))
	return c.File.WriteAt(p, off)
}

func (c *counted) Write(p []byte) (int, error) {
	c.written += int64(len(p))
	return c.File.Write(p)
}

func (c *counted) Sync() error { return nil }

func (c *counted) size(t testing.TB) int64 {
	t.Helper()
	info, err := c.Stat()
	must(t, err)
	return info.Size()
}

// compacted returns the size of an array that is written at once.
func compacted(t testing.TB, spec b2nd.Spec, data []byte) int64 {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "a"))
	must(t, err)
	defer file.Close()
	f := &counted{File: file}
	w, err := b2nd.NewWriter(f, spec)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return f.size(t)
}

// This test logs rows for an hour, with a flush each second, a checkpoint each minute,
// and the default chunks. C-Blosc2 reads every commit that is checked.
func TestLogHour(t *testing.T) {
	libs := b2test.Oracles(t)
	specs := map[string]b2nd.Spec{
		"two columns": {Shape: []int64{b2nd.Unknown, 2}, DType: "<f8"},
		"records":     {Shape: []int64{b2nd.Unknown}, DType: "[('t', '<f8'), ('v', '<f8')]"},
	}
	for name, spec := range specs {
		for _, rows := range []int{1, 10, 1000} {
			t.Run(fmt.Sprint(name, rows), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "log")
				file, err := os.Create(path)
				must(t, err)
				defer file.Close()
				f := &counted{File: file}
				w, err := b2nd.NewWriter(f, spec)
				must(t, err)
				chunk := int64(8 << 20)
				src := newRecords()
				var all []byte
				for s := 1; s <= 3600; s++ {
					at := len(all)
					all = src.append(all, rows)
					_, err := w.Write(all[at:])
					must(t, err)
					must(t, w.Flush())
					if s%60 != 0 {
						continue
					}
					must(t, w.Checkpoint())
					if s%600 != 0 {
						continue
					}
					if have, limit := f.size(t), compacted(t, spec, all)*3/2+2*chunk; have > limit {
						t.Errorf("after %d s the file has %d bytes, limit %d", s, have, limit)
					}
					readsAs(t, libs, path, all)
				}
				must(t, w.Close())
				best := compacted(t, spec, all)
				have := f.size(t)
				if have > best*11/10+64<<10 {
					t.Errorf("closed, the file has %d bytes, compacted %d", have, best)
				}
				if f.written > 12*best {
					t.Errorf("%d bytes were written for %d", f.written, best)
				}
				t.Logf("%d bytes of data: compacted %d, the file %d, written %d (%.1f times)",
					len(all), best, have, f.written, float64(f.written)/float64(best))
				readsAs(t, libs, path, all)
			})
		}
	}
}

// Random rows of random partitions are logged with Write, Flush, Checkpoint, Close
// and the death of the writer, and the array is read in between and continued.
// Flushed rows are always present, C-Blosc2 reads the committed ones, and an Array
// that was opened earlier never returns other items.
func TestLogRandom(t *testing.T) {
	runs, libs := 60, b2test.Oracles(t)
	switch {
	case os.Getenv("BLOSC2_FULL") != "":
		runs = 3000
	case testing.Short():
		runs = 20
	}
	for run := range b2test.Fewer(runs) {
		logRun(t, libs, run)
	}
}

func logRun(t *testing.T, libs []b2test.Library, run int) {
	rng := rand.New(rand.NewPCG(8, uint64(run)))
	dims := 1 + rng.IntN(3)
	spec := b2nd.Spec{Shape: []int64{b2nd.Unknown}, ItemSize: 1 + rng.IntN(5)}
	row := spec.ItemSize
	for d := range dims {
		c := int64(1 + rng.IntN(9))
		if d == 0 {
			c = int64(2 + rng.IntN(40))
		} else {
			n := int64(1 + rng.IntN(12))
			spec.Shape = append(spec.Shape, n)
			row *= int(n)
		}
		spec.ChunkShape = append(spec.ChunkShape, c)
		spec.BlockShape = append(spec.BlockShape, 1+int64(rng.IntN(int(c))))
	}
	opts := []stream.WriterOption{stream.Workers(1 + run%2), stream.Checks(run%5 != 0)}
	if run%4 == 3 {
		opts = append(opts, stream.Metalayer("long", make([]byte, 700)))
	}
	data := make([]byte, 400*row)
	for i := range data {
		data[i] = byte(i*i/7) ^ byte(rng.IntN(1+run%4))
	}
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	must(t, err)
	w, err := b2nd.NewWriter(file, spec, opts...)
	must(t, err)
	failed := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("run %d, %+v: %s", run, spec, fmt.Sprintf(format, args...))
	}
	flushed, committed, at := 0, 0, 0 // numbers of rows
	type state struct {
		a    *b2nd.Array
		rows int
	}
	var old []state
	defer func() {
		for _, o := range old {
			o.a.Close()
		}
	}()
	checkOld := func() {
		for _, o := range old {
			got, err := o.a.ReadAll()
			if err == nil && !bytes.Equal(got, data[:o.rows*row]) {
				failed("an array that was opened at %d rows has other items", o.rows)
			}
		}
	}
	for range 120 {
		switch k := rng.IntN(20); {
		case k < 8:
			n := min(rng.IntN(4), 400-at)
			if rng.IntN(6) == 0 {
				n = min(rng.IntN(90), 400-at)
			}
			_, err := w.Write(data[at*row : (at+n)*row])
			must(t, err)
			at += n
		case k < 14:
			if err := w.Flush(); err != nil {
				failed("flush at %d: %v", at, err)
			}
			flushed = at
		case k < 17:
			if err := w.Checkpoint(); err != nil {
				failed("checkpoint at %d: %v", at, err)
			}
			flushed, committed = at, at
		case k < 18: // the writer dies, or closes
			if rng.IntN(2) == 0 {
				if err := w.Close(); err != nil {
					failed("close at %d: %v", at, err)
				}
				flushed, committed = at, at
			} else {
				w.Abort(nil)
			}
			must(t, file.Close())
			if flushed == 0 {
				return
			}
			file, err = os.OpenFile(path, os.O_RDWR, 0)
			must(t, err)
			info, err := file.Stat()
			must(t, err)
			if w, err = b2nd.Append(file, info.Size(), stream.Workers(1+run%2)); err != nil {
				failed("going on after %d rows: %v", flushed, err)
			}
			if n := int(w.Shape()[0]); n > at || n < flushed {
				failed("%d rows after going on, %d flushed of %d", n, flushed, at)
			} else {
				at, flushed = n, n
			}
		case k < 19 && flushed > 0:
			a, err := b2nd.OpenFile(path)
			if err != nil {
				failed("opening at %d rows: %v", flushed, err)
			}
			old = append(old, state{a, int(a.Shape()[0])})
		}
		if flushed > 0 {
			a, err := b2nd.OpenFile(path)
			if err != nil {
				failed("opening at %d rows: %v", flushed, err)
			}
			got, err := a.ReadAll()
			if n := int(a.Shape()[0]); err != nil || n < flushed || n > at || !bytes.Equal(got, data[:n*row]) {
				failed("%d rows of %d: %v", n, flushed, err)
			}
			a.Close()
		}
		if committed > 0 && rng.IntN(12) == 0 {
			for _, lib := range libs {
				got, err := lib.Decode(t, "read-b2nd", path)
				if err != nil || len(got) < committed*row || !bytes.Equal(got, data[:len(got)]) {
					failed("library %d reads %d bytes, %d are committed: %v", lib.Major, len(got), committed*row, err)
				}
			}
		}
		checkOld()
	}
	must(t, w.Close())
	must(t, file.Close())
	checkOld()
	if at > 0 {
		readsAs(t, slices.Clip(libs), path, data[:at*row])
	}
}
