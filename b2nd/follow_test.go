package b2nd_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A following reads all rows that a Follower delivers, in another goroutine.
type following struct {
	f    *b2nd.Follower
	rows chan []byte // all rows so far, sent after each Next
	err  chan error
}

func follow(t testing.TB, path string, opts ...b2nd.Option) *following {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	f, err := b2nd.FollowFile(ctx, path, opts...)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	g := &following{f, make(chan []byte, 10_000), make(chan error, 1)}
	go func() {
		var all []byte
		for {
			rows, err := f.Next()
			all = append(all, rows...)
			if n := f.Rows(); err == nil && n != int64(len(all)/rowLen) {
				err = fmt.Errorf("%d rows were seen, %d returned", n, len(all)/rowLen)
			}
			if err != nil {
				g.err <- err
				close(g.rows)
				return
			}
			g.rows <- bytes.Clone(all)
		}
	}()
	return g
}

// until waits until n rows have been delivered, and returns them.
func (g *following) until(t testing.TB, n int) []byte {
	t.Helper()
	for rows := range g.rows {
		if len(rows) >= n*rowLen {
			return rows
		}
	}
	t.Fatalf("waiting for %d rows: %v", n, <-g.err)
	return nil
}

// A Follower delivers every flushed row, in each layout: of a file that is missing
// at first, across Checkpoints, the death of the Writer, and a compacted copy, up
// to Close.
func TestFollow(t *testing.T) {
	for name, spec := range layouts {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rows.b2nd")
			g := follow(t, path, b2nd.KeepFollowing())
			data := newRecords().append(nil, 700)
			rows := 0
			open := func() *b2nd.FileWriter {
				w, err := b2nd.AppendFile(path, spec, stream.Workers(1))
				must(t, err)
				return w
			}
			add := func(w *b2nd.FileWriter, n int) {
				t.Helper()
				_, err := w.Write(data[rows*rowLen : (rows+n)*rowLen])
				must(t, err)
				must(t, w.Flush())
				rows += n
				if got := g.until(t, rows); !bytes.Equal(got, data[:rows*rowLen]) {
					t.Fatalf("%d rows: other ones, or %d", rows, len(got)/rowLen)
				}
			}
			w := open()
			for i := range 100 {
				add(w, 1+i%5)
				if i%20 == 7 {
					must(t, w.Checkpoint())
				}
			}
			die(t, w)
			w = open()
			add(w, 90)
			die(t, w)
			must(t, frame.CompactFile(path))
			w = open()
			add(w, 10)
			must(t, w.Close())
			w = open()
			add(w, 10)
			other := follow(t, path) // follows to the end
			_, err := w.Write(data[rows*rowLen : (rows+3)*rowLen])
			must(t, err)
			must(t, w.Close())
			for _, g := range []*following{g, other} {
				if got := g.until(t, rows+3); !bytes.Equal(got, data[:(rows+3)*rowLen]) {
					t.Errorf("after Close: %d rows of %d, or others", len(got)/rowLen, rows+3)
				}
			}
			if err := <-other.err; err != io.EOF {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

// A Follower is ended by its context and by Close, and by a typed error if
// delivered rows are lost or the file holds no array.
func TestFollowEnds(t *testing.T) {
	dir := t.TempDir()
	for _, delay := range []time.Duration{0, 20 * time.Millisecond} { // before Next waits, and most likely while it does
		ctx, cancel := context.WithCancel(context.Background())
		f, err := b2nd.FollowFile(ctx, filepath.Join(dir, "missing"))
		must(t, err)
		time.AfterFunc(delay, cancel)
		if _, err := f.Next(); err != context.Canceled {
			t.Errorf("cancelled after %v: %v", delay, err)
		}
		must(t, f.Close())

		g := follow(t, filepath.Join(dir, "missing"))
		time.AfterFunc(delay, func() { g.f.Close() })
		if err := <-g.err; !errors.Is(err, blosc2.ErrClosed) {
			t.Errorf("closed after %v: %v", delay, err)
		}
	}

	bytesFile := filepath.Join(dir, "bytes")
	w, err := stream.CreateFile(bytesFile)
	must(t, err)
	_, err = w.Write(make([]byte, 100))
	must(t, errors.Join(err, w.Close()))
	if err := <-follow(t, bytesFile).err; !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("no array: %v", err)
	}

	path := filepath.Join(dir, "rows")
	write := func(rows int) {
		a, err := b2nd.CreateFile(path+".new", layouts["flat"])
		must(t, err)
		_, err = a.Write(newRecords().append(nil, rows))
		must(t, errors.Join(err, a.Flush()))
		die(t, a)
		must(t, os.Rename(path+".new", path))
	}
	write(50)
	g := follow(t, path)
	g.until(t, 50)
	write(40)
	if err := <-g.err; !errors.Is(err, blosc2.ErrChanged) {
		t.Errorf("rows that were seen are gone: %v", err)
	}
}

// Refresh returns the same array if, and only if, nothing has changed.
func TestArrayRefresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	w, err := b2nd.AppendFile(path, layouts["flat"])
	must(t, err)
	data := newRecords().append(nil, 200)
	_, err = w.Write(data[:10*rowLen])
	must(t, errors.Join(err, w.Flush()))
	a, err := b2nd.OpenFile(path, b2nd.FrameOptions(frame.AllowTorn()))
	must(t, err)
	defer a.Close()
	for rows := 10; rows < 200; rows += 10 {
		now, err := a.Refresh()
		must(t, err)
		if rows > 10 == (now == a) {
			t.Fatalf("%d rows: the same array: %t", rows, now == a)
		}
		if same, err := now.Refresh(); err != nil || same != now {
			t.Fatalf("%d rows: another array, though nothing has changed: %v", rows, err)
		}
		got, err := now.ReadAll()
		must(t, err)
		if !bytes.Equal(got, data[:rows*rowLen]) {
			t.Fatalf("%d rows: other ones", rows)
		}
		a = now
		_, err = w.Write(data[rows*rowLen : (rows+10)*rowLen])
		must(t, errors.Join(err, w.Flush()))
	}
	must(t, w.Close())
	b, err := os.ReadFile(path)
	must(t, err)
	far, err := b2nd.Open(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	var option *blosc2.OptionError
	if _, err := far.Refresh(); !errors.As(err, &option) {
		t.Errorf("a source of unknown size: %v", err)
	}
}

// A Follower keeps up with a Writer that flushes as fast as it can.
func TestFollowFast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	g := follow(t, path)
	w, err := b2nd.AppendFile(path, layouts["flat"])
	must(t, err)
	data := newRecords().append(nil, 20_000)
	for i := range 20_000 {
		_, err = w.Write(data[i*rowLen : (i+1)*rowLen])
		must(t, errors.Join(err, w.Flush()))
		if i%3000 == 2999 {
			must(t, w.Checkpoint())
		}
	}
	must(t, w.Close())
	if got := g.until(t, 20_000); !bytes.Equal(got, data) {
		t.Error("other rows")
	}
}

// Rows can be read only as items of the array's type; a wrong type does not end the
// Follower.
func TestFollowTyped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	spec, err := b2nd.SpecOf[float64](b2nd.Unknown, 2)
	must(t, err)
	w, err := b2nd.AppendFile(path, spec)
	must(t, err)
	want := []float64{1, 2, 3, 4}
	_, err = b2nd.WriteSlice(w.Writer, want)
	must(t, errors.Join(err, w.Close()))
	f, err := b2nd.FollowFile(t.Context(), path)
	must(t, err)
	defer f.Close()
	var option *blosc2.OptionError
	if _, err := b2nd.NextSlice[float32](f); !errors.As(err, &option) {
		t.Errorf("float32: %v", err)
	}
	got, err := b2nd.NextSlice[float64](f)
	must(t, err)
	if !slices.Equal(got, want) || !slices.Equal(f.Array().Shape(), []int64{2, 2}) {
		t.Errorf("%v of shape %v, want %v", got, f.Array().Shape(), want)
	}
	if _, err := b2nd.NextSlice[float64](f); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}
