package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// This test logs for an hour, with a flush each second and a checkpoint each minute. The
// file remains close to its compacted size, and the number of bytes written close to the
// size of the data. C-Blosc2 reads every commit.
func TestLogHour(t *testing.T) {
	hours, libs := 1, b2test.Oracles(t)
	if os.Getenv("BLOSC2_FULL") != "" {
		hours = 10
	}
	for _, records := range []int{1, 10, 1000} {
		t.Run(fmt.Sprint(records), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			file, err := os.Create(path)
			must(t, err)
			defer file.Close()
			f := &counted{File: file}
			w := newWriter(t, f)
			src := newLogger()
			var all []byte
			for s := 1; s <= hours*3600; s++ {
				at := len(all)
				all = src.append(all, records)
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
				if have, limit := f.size(t), compacted(t, all)*3/2+2<<20; have > limit {
					t.Errorf("after %d s the file has %d bytes, limit %d", s, have, limit)
				}
				for _, lib := range libs {
					got, err := lib.Decode(t, "read-frame", path)
					if err != nil || !bytes.Equal(got, all) {
						t.Fatalf("after %d s library %d reads %d bytes of %d: %v", s, lib.Major, len(got), len(all), err)
					}
				}
			}
			must(t, w.Close())
			best := compacted(t, all)
			if have := f.size(t); have > best*11/10+64<<10 {
				t.Errorf("closed, the file has %d bytes, compacted %d", have, best)
			}
			if f.written > 12*best {
				t.Errorf("%d bytes were written for %d compacted", f.written, best)
			}
			check(t, "closed", mustRead(t, path), all)
			t.Logf("%d bytes of data: compacted %d, the file %d, written %d (%.1f times), %d syncs",
				len(all), best, f.size(t), f.written, float64(f.written)/float64(best), f.syncs)
			if fr, err := frame.Open(file, f.size(t)); err != nil || fr.Order() != frame.Sealed || fr.Open() {
				t.Errorf("closed: %v, %v", fr, err)
			}
			for _, lib := range libs {
				if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, all) {
					t.Errorf("library %d reads %d bytes of %d: %v", lib.Major, len(got), len(all), err)
				}
			}
		})
	}
}

// TestLogRandom takes random steps of a logger: Write, Flush, Checkpoint, Close and
// death, with the file read in between and continued. Flushed data are always present,
// C-Blosc2 reads the committed data, and a Reader of an older state never returns other
// bytes.
func TestLogRandom(t *testing.T) {
	runs, libs := 40, b2test.Oracles(t)
	if os.Getenv("BLOSC2_FULL") != "" {
		runs = 2000
	}
	for run := range b2test.Fewer(runs) {
		logRun(t, libs, run)
	}
}

func logRun(t *testing.T, libs []b2test.Library, run int) {
	rng := rand.New(rand.NewPCG(7, uint64(run)))
	path := filepath.Join(t.TempDir(), "log")
	data := numbers(60_000)
	if run%3 == 1 {
		data = noise(60_000)
	}
	opts := []stream.WriterOption{stream.ChunkSize(2000 + 1000*rng.IntN(3)), stream.Workers(1 + run%2), stream.Checks(run%5 != 0)}
	if run%4 == 3 {
		opts = append(opts, stream.Metalayer("long", noise(700)))
	}
	file, err := os.Create(path)
	must(t, err)
	w := newWriter(t, file, opts...)
	flushed, committed, at := 0, -1, 0
	var old []oldState
	for range 150 {
		switch k := rng.IntN(20); {
		case k < 8:
			n := min(rng.IntN(40), len(data)-at)
			if rng.IntN(6) == 0 {
				n = min(rng.IntN(9000), len(data)-at)
			}
			_, err := w.Write(data[at : at+n])
			must(t, err)
			at += n
		case k < 14:
			must(t, w.Flush())
			flushed = at
		case k < 17:
			must(t, w.Checkpoint())
			if flushed = at; at > 0 {
				committed = at
			}
		case k < 18 && at > 0: // the writer dies, or closes
			if rng.IntN(2) == 0 {
				must(t, w.Close())
				flushed, committed = at, at
			} else {
				w.Abort(io.ErrClosedPipe)
			}
			must(t, file.Close())
			if flushed == 0 && committed < 0 {
				return
			}
			file = mustOpen(t, path)
			info, err := file.Stat()
			must(t, err)
			if w, err = stream.Append(file, info.Size(), stream.Workers(1+run%2)); err != nil {
				t.Fatalf("run %d: going on after %d bytes: %v", run, flushed, err)
			}
			at = sizeOf(t, path)
			if at < flushed {
				t.Fatalf("run %d: %d bytes of %d after recovery", run, at, flushed)
			}
			flushed = at
		case k < 19:
			if f, err := frame.OpenFile(path); err == nil {
				old = append(old, oldState{f, int(f.Size())})
			}
		}
		if flushed > 0 {
			checkLog(t, run, path, data, flushed, at)
		}
		if committed > 0 && rng.IntN(12) == 0 {
			for _, lib := range libs {
				got, err := lib.Decode(t, "read-frame", path)
				if err != nil || !bytes.Equal(got, data[:len(got)]) || len(got) < committed {
					t.Fatalf("run %d: library %d reads %d bytes of %d: %v", run, lib.Major, len(got), committed, err)
				}
			}
		}
		for _, o := range old {
			o.check(t, run, data)
		}
	}
	must(t, w.Close())
	must(t, file.Close())
	check(t, fmt.Sprintf("run %d, closed", run), mustRead(t, path), data[:at])
	for _, o := range old {
		o.check(t, run, data)
		o.f.Close()
	}
}

func mustOpen(t testing.TB, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	return f
}

func sizeOf(t testing.TB, path string) int {
	t.Helper()
	f, err := frame.OpenFile(path)
	must(t, err)
	defer f.Close()
	return int(f.Size())
}

// checkLog reads a log that holds at least flushed bytes and at most written.
func checkLog(t testing.TB, run int, path string, data []byte, flushed, written int) {
	t.Helper()
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatalf("run %d: %v", run, err)
	}
	defer f.Close()
	got := make([]byte, f.Size())
	if _, err := f.ReadAt(got, 0); err != nil {
		t.Fatalf("run %d: %v", run, err)
	}
	if len(got) < flushed || len(got) > written || !bytes.Equal(got, data[:len(got)]) {
		t.Fatalf("run %d: %d bytes, %d flushed, %d written", run, len(got), flushed, written)
	}
}

// oldState is a frame as it was some time ago.
type oldState struct {
	f    *frame.FileReader
	size int
}

func (o oldState) check(t testing.TB, run int, data []byte) {
	t.Helper()
	got := make([]byte, min(o.size, 500))
	off := o.size - len(got)
	n, err := o.f.ReadAt(got, int64(off))
	if !bytes.Equal(got[:n], data[off:off+n]) {
		i := 0
		for got[i] == data[off+i] {
			i++
		}
		t.Fatalf("run %d: a reader of an old state with %d bytes got other bytes at %d: n=%d err=%v", run, o.size, off+i, n, err)
	}
	if err == nil {
		o.f.Chunk(nil, 0) // must not panic; the chunk may have been overwritten
	}
}

// A frame that follows a frame whose writer died can be read, and is not overwritten.
func TestAfterOpenLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "open")
	f, err := os.Create(path)
	must(t, err)
	w := newWriter(t, f, stream.ChunkSize(1000))
	data := numbers(3300)
	_, err = w.Write(data[:2100])
	must(t, err)
	must(t, w.Checkpoint())
	_, err = w.Write(data[2100:])
	must(t, err)
	must(t, w.Flush())
	must(t, f.Close())
	w.Abort(nil) // ends the Writer as its death would
	more := noise(1500)
	for name, next := range map[string][]byte{"sealed": compress(t, more), "unsealed": flushed(t, more, 500)} {
		b := append(mustRead(t, path), next...)
		if got, err := readAll(t, bytes.NewReader(b)); err != nil || !bytes.Equal(got, append(bytes.Clone(data), more...)) {
			t.Errorf("%s: %d bytes: %v", name, len(got), err)
		}
		if _, err := readAll(t, io.MultiReader(bytes.NewReader(b))); !errors.Is(err, blosc2.ErrTrailing) {
			t.Errorf("%s, from a pipe: %v", name, err)
		}
		two := filepath.Join(dir, name)
		must(t, os.WriteFile(two, b, 0o666))
		if _, err := stream.AppendFile(two); !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("%s, going on: %v", name, err)
		}
		if err := frame.SealFile(two); !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("%s, sealing: %v", name, err)
		}
		if !bytes.Equal(mustRead(t, two), b) {
			t.Errorf("%s: the file has changed", name)
		}
	}
}

// A vlmetalayer that was set before a Flush survives the death of the process.
func TestFlushKeepsVLMeta(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	value := func() string {
		t.Helper()
		f, err := frame.OpenFile(path)
		must(t, err)
		defer f.Close()
		b, _, err := f.VLMeta("state")
		must(t, err)
		return string(b)
	}
	for round := range 3 { // first a new file, then continued ones
		w, err := stream.AppendFile(path, stream.ChunkSize(4096))
		must(t, err)
		for i := range 100 {
			want := fmt.Sprint(round, i/10)
			_, err = w.Write(numbers(1 + i*i%700))
			must(t, errors.Join(err, w.SetVLMeta("state", []byte(want)), w.Flush()))
			if got := value(); got != want {
				t.Fatalf("round %d, flush %d: %q, want %q", round, i, got, want)
			}
		}
		must(t, w.SetVLMeta("state", []byte("no data since")))
		must(t, w.Flush())
		if got := value(); got != "no data since" {
			t.Errorf("round %d: %q without new data", round, got)
		}
		must(t, w.SetVLMeta("state", nil))
		must(t, w.Flush())
		if got := value(); got != "" {
			t.Errorf("round %d: %q after it was deleted", round, got)
		}
		if err := w.Abort(nil); !errors.Is(err, blosc2.ErrClosed) {
			t.Fatal(err)
		}
	}
}
