package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

func init() { children["logger"] = logForever }

// logForever writes a log until it is killed: it continues its file, flushes, commits,
// closes, and starts again.
func logForever(path string) error {
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))
	for {
		w, err := stream.AppendFile(path, stream.ChunkSize(2000), stream.TypeSize(4), stream.Workers(1))
		if err != nil {
			return err
		}
		at := 0
		if f, err := frame.OpenFile(path, frame.AllowTorn()); err == nil {
			at = int(f.Size())
			f.Close()
		}
		say('F', int64(at))
		for range 10 + rng.IntN(300) {
			n := rng.IntN(100)
			if rng.IntN(20) == 0 {
				n = rng.IntN(6000)
			}
			if _, err := w.Write(pattern(at, n)); err != nil {
				return err
			}
			at += n
			switch rng.IntN(8) {
			case 0:
				if err := w.Checkpoint(); err != nil {
					return err
				}
				say('C', int64(at))
			case 1, 2, 3, 4:
				if err := w.Flush(); err != nil {
					return err
				}
				say('F', int64(at))
			}
		}
		if err := w.Close(); err != nil {
			return err
		}
		say('F', int64(at))
		if at > 8<<20 {
			time.Sleep(time.Hour)
		}
	}
}

// Loggers are killed at any moment, while others read the log. Every flushed byte
// is found, and the next logger continues it. Concurrent readers read right bytes,
// never fewer than before, or return an error that says to retry.
func TestLogKilled(t *testing.T) {
	dir, libs := t.TempDir(), b2test.Oracles(t)
	var kills, bytesFlushed, reads, changed atomic.Int64
	const killsEach = 6
	spread(pick(60, 3000)/killsEach, func(i int) {
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		path := filepath.Join(dir, fmt.Sprint(i))
		stop := make(chan struct{})
		var known atomic.Int64 // number of bytes that were flushed
		var wg sync.WaitGroup
		wg.Go(func() { follow(t, path, stop, &known, &reads, &changed) })
		wg.Go(func() { readAgain(t, path, stop, &known, &reads) })
		least, committed := int64(0), int64(0)
		for range killsEach {
			f, c := kill(t, "logger", path, uint64(i), time.Duration(rng.IntN(60_000))*time.Microsecond+5*time.Millisecond)
			kills.Add(1)
			least, committed = max(least, f), max(committed, c)
			known.Store(least)
			if least == 0 {
				continue
			}
			b, err := os.ReadFile(path)
			must(t, err)
			if err := logError(b, pattern(0, len(b)*40+8000), least, 1<<40, false); err != nil {
				t.Errorf("%d: %v", i, err)
			}
			if committed > 0 && rng.IntN(pick(2, 20)) == 0 {
				for _, lib := range libs {
					got, err := lib.Decode(t, "read-frame", path)
					if err != nil || int64(len(got)) < committed || !bytes.Equal(got, pattern(0, len(got))) {
						t.Errorf("%d: C-Blosc2 %d reads %d bytes, %d were committed: %v", i, lib.Major, len(got), committed, err)
					}
				}
			}
		}
		close(stop)
		wg.Wait()
		bytesFlushed.Add(least)
		if least == 0 {
			return
		}
		w, err := stream.AppendFile(path)
		must(t, errors.Join(err, w.Close()))
		b, err := os.ReadFile(path)
		must(t, err)
		if got, err := content("", b); err != nil || int64(len(got)) < least || !bytes.Equal(got, pattern(0, len(got))) {
			t.Errorf("%d: closed, %d bytes of %d: %v", i, len(got), least, err)
		}
		os.Remove(path)
	})
	t.Logf("%d kills, %d bytes flushed; %d reads along, %d of them returned ErrChanged",
		kills.Load(), bytesFlushed.Load(), reads.Load(), changed.Load())
	if reads.Load() == 0 {
		t.Error("no reader read along")
	}
}

// follow reads a growing log with Refresh. It reads the end of each state.
func follow(t *testing.T, path string, stop chan struct{}, known, reads, changed *atomic.Int64) {
	var f *frame.Reader
	var file *os.File
	defer func() {
		if file != nil {
			file.Close()
		}
	}()
	seen, bad := int64(0), 0
	for {
		select {
		case <-stop:
			return
		default:
		}
		least := known.Load()
		now, err := f, error(nil)
		if f == nil {
			if file == nil {
				if file, err = os.Open(path); err != nil {
					file = nil
					time.Sleep(time.Millisecond)
					continue
				}
			}
			now, err = frame.Open(file, fileSize(t, file), frame.AllowTorn())
		} else {
			now, err = f.Refresh(fileSize(t, file))
		}
		if err != nil {
			if bad++; least > 0 && bad > 50 {
				t.Errorf("follow: %v", err)
				return
			}
			time.Sleep(200 * time.Microsecond)
			continue
		}
		f, bad = now, 0
		if f.Size() < least {
			t.Errorf("follow: %d bytes, %d were flushed", f.Size(), least)
			return
		}
		if f.Size() < seen {
			t.Errorf("follow: %d bytes after %d, %d were flushed", f.Size(), seen, least)
			return
		}
		seen = f.Size()
		b := make([]byte, min(seen, 5000))
		off := seen - int64(len(b))
		n, err := f.ReadAt(b, off)
		reads.Add(1)
		if !bytes.Equal(b[:n], pattern(int(off), n)) {
			t.Errorf("follow: wrong bytes of %d at %d: %v", n, off, err)
			return
		}
		switch {
		case errors.Is(err, blosc2.ErrChanged):
			changed.Add(1)
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			t.Errorf("follow: %d bytes at %d of %d: %v", n, off, seen, err)
			return
		}
	}
}

func fileSize(t *testing.T, file *os.File) int64 {
	info, err := file.Stat()
	must(t, err)
	return info.Size()
}

// readAgain reads a growing log from its beginning repeatedly.
func readAgain(t *testing.T, path string, stop chan struct{}, known, reads *atomic.Int64) {
	bad := 0
	for {
		select {
		case <-stop:
			return
		default:
		}
		least := known.Load()
		got, err := readStream(path)
		if !bytes.Equal(got, pattern(0, len(got))) {
			t.Errorf("stream: wrong bytes among %d: %v", len(got), err)
			return
		}
		reads.Add(1)
		again := errors.Is(err, blosc2.ErrChanged) || errors.Is(err, io.ErrUnexpectedEOF)
		if least > 0 && err != nil && !again || again && int64(len(got)) < least {
			if bad++; bad > 50 {
				t.Errorf("stream: %d bytes of %d: %v", len(got), least, err)
				return
			}
			continue
		}
		if bad = 0; int64(len(got)) < least {
			t.Errorf("stream: %d bytes of %d: %v", len(got), least, err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func readStream(path string) ([]byte, error) {
	r, err := stream.OpenFile(path, stream.Workers(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
