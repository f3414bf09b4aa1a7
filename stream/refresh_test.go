package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
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

// refreshed calls Refresh for the current size of a file, and reports how much it
// read.
func (c *readCounter) refreshed(t testing.TB, f *frame.Reader) (*frame.Reader, int64) {
	t.Helper()
	info, err := c.Stat()
	must(t, err)
	before := c.n.Load()
	now, err := f.Refresh(info.Size())
	must(t, err)
	return now, c.n.Load() - before
}

// Refresh reads the flushed bytes, at most twice, and a few hundred more.
func TestRefreshReadsNewBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(1<<20))
	must(t, err)
	defer w.Abort(nil)
	src := newLogger()
	all := src.append(nil, 200_000) // 3 chunks, and some of a fourth
	_, err = w.Write(all)
	must(t, err)
	must(t, w.Checkpoint())
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	c := &readCounter{File: file}
	info, err := file.Stat()
	must(t, err)
	f, err := frame.Open(c, info.Size())
	must(t, err)
	for i := range 3000 {
		at := len(all)
		all = src.append(all, 10)
		_, err = w.Write(all[at:])
		must(t, err)
		must(t, w.Flush())
		chunks := f.NumChunks()
		now, read := c.refreshed(t, f)
		before := c.n.Load()
		got := make([]byte, len(all)-at)
		n, err := now.ReadAt(got, int64(at))
		if n < len(got) || err != nil && err != io.EOF || !bytes.Equal(got, all[at:]) || now.Size() != int64(len(all)) {
			t.Fatalf("flush %d: %d of %d bytes at %d of %d: %v", i, n, len(got), at, now.Size(), err)
		}
		// A finished chunk is read once, with its digest.
		if limit := int64(160 + 1000); read > limit && now.NumChunks() == chunks {
			t.Fatalf("flush %d: Refresh read %d bytes for 160, limit %d", i, read, limit)
		}
		if used := c.n.Load() - before; used > 1000 && now.NumChunks() == chunks {
			t.Fatalf("flush %d: ReadAt read %d bytes for 160", i, used)
		}
		f = now
		if same, _ := c.refreshed(t, f); same != f {
			t.Fatalf("flush %d: nothing has changed, but Refresh returned another Reader", i)
		}
	}
}

// A refreshed Reader reads the same as one that is opened again, whatever the
// writer did in between.
func TestRefreshIsOpening(t *testing.T) {
	for seed := range uint64(20) {
		for _, opts := range [][]stream.WriterOption{
			{stream.ChunkSize(4096)},
			{stream.ChunkSize(4096), stream.Checks(false)},
			{stream.ChunkSize(4096), stream.VariableChunks()},
		} {
			t.Run(fmt.Sprint(seed, len(opts)), func(t *testing.T) { refreshIsOpening(t, rand.New(rand.NewPCG(seed, 7)), opts) })
		}
	}
}

func refreshIsOpening(t *testing.T, rng *rand.Rand, opts []stream.WriterOption) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, opts...)
	must(t, err)
	src := newLogger()
	all := src.append(nil, 100)
	_, err = w.Write(all)
	must(t, err)
	must(t, w.Flush())
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	c := &readCounter{File: file}
	f := openCounted(t, c)
	for range 80 {
		n := 0
		if n = rng.IntN(40); rng.IntN(4) == 0 {
			n = rng.IntN(1000)
		}
		at := len(all)
		all = src.append(all, n)
		_, err = w.Write(all[at:])
		must(t, err)
		switch rng.IntN(12) {
		case 0:
			must(t, w.Checkpoint())
		case 1: // setting vlmetalayers moves the tail
			must(t, w.SetVLMeta("k", bytes.Repeat([]byte{byte(n)}, 1+rng.IntN(3))))
			must(t, w.Checkpoint())
		case 2:
			must(t, w.Close())
			w, err = stream.AppendFile(path)
			must(t, err)
		default:
			must(t, w.Flush())
		}
		if rng.IntN(3) == 0 {
			continue
		}
		now, _ := c.refreshed(t, f)
		fresh := openCounted(t, c)
		if now.Size() != fresh.Size() || now.NumChunks() != fresh.NumChunks() || now.Open() != fresh.Open() || now.Size() != int64(len(all)) {
			t.Fatalf("refreshed: %d bytes in %d chunks, opened: %d in %d, written %d", now.Size(), now.NumChunks(), fresh.Size(), fresh.NumChunks(), len(all))
		}
		got := make([]byte, len(all))
		if n, err := now.ReadAt(got, 0); n < len(all) || !bytes.Equal(got, all) {
			t.Fatalf("%d of %d bytes: %v", n, len(all), err)
		}
		for n := range now.NumChunks() {
			if _, err := now.Chunk(nil, n); err != nil {
				t.Fatal(err)
			}
		}
		// The older Reader reads the same as before, or returns an error.
		k, err := f.ReadAt(got[:f.Size()], 0)
		if !bytes.Equal(got[:k], all[:k]) || int64(k) < f.Size() && err == nil {
			t.Fatalf("the old reader: %d bytes: %v", k, err)
		}
		f = now
	}
	must(t, w.Close())
}

func openCounted(t testing.TB, c *readCounter) *frame.Reader {
	t.Helper()
	info, err := c.Stat()
	must(t, err)
	f, err := frame.Open(c, info.Size(), frame.AllowTorn())
	must(t, err)
	return f
}

// A Reader of data that are then dropped does not mistake newly flushed data for
// them.
func TestRefreshDropped(t *testing.T) {
	for _, sizes := range [][2]int{{100, 50}, {100, 1000}, {256, 700}, {300, 5}, {2000, 3000}} {
		path := filepath.Join(t.TempDir(), "log")
		w, err := stream.CreateFile(path, stream.ChunkSize(4096))
		must(t, err)
		src := newLogger()
		all := src.append(nil, sizes[0])
		_, err = w.Write(all)
		must(t, err)
		must(t, w.Checkpoint())
		dropped := src.append(nil, sizes[1])
		_, err = w.Write(dropped)
		must(t, err)
		must(t, w.Flush())
		died := mustRead(t, path)
		must(t, w.Close())
		must(t, os.WriteFile(path, died, 0o666))
		file, err := os.Open(path)
		must(t, err)
		defer file.Close()
		c := &readCounter{File: file}
		f := openCounted(t, c)
		if f.Size() != int64(len(all)+16*sizes[1]) {
			t.Fatalf("%v: %d bytes", sizes, f.Size())
		}
		w, err = stream.AppendFile(path, stream.DropTail())
		must(t, err)
		// A Writer may have committed more than was requested.
		all = append(all, dropped...)[:openCounted(t, c).Size()]
		if len(all) < 16*sizes[0] || len(all) == 16*(sizes[0]+sizes[1]) {
			t.Fatalf("%v: %d bytes kept", sizes, len(all))
		}
		for range 3 {
			at := len(all)
			all = src.append(all, sizes[1])
			_, err = w.Write(all[at:])
			must(t, err)
			must(t, w.Flush())
			now, _ := c.refreshed(t, f)
			got := make([]byte, len(all))
			if n, err := now.ReadAt(got, 0); now.Size() != int64(len(all)) || n < len(all) || !bytes.Equal(got, all) {
				t.Fatalf("%v: %d of %d bytes: %v", sizes, n, now.Size(), err)
			}
			if fresh := openCounted(t, c); fresh.Size() != now.Size() {
				t.Fatalf("%v: %d bytes opened, %d refreshed", sizes, fresh.Size(), now.Size())
			}
		}
		must(t, w.Close())
	}
}
