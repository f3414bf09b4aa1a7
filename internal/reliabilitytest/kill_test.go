package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(childKind); kind != "" {
		seed, _ := strconv.ParseUint(os.Getenv(childSeed), 10, 64)
		if err := child(kind, os.Getenv(childFile), rand.New(rand.NewPCG(seed, 11))); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child writes the pattern to a file or a folder in one of several ways until it is
// killed, and prints how many bytes were flushed and committed.
func child(kind, path string, rng *rand.Rand) error {
	if other, ok := children[kind]; ok {
		return other(path)
	}
	switch kind {
	case "stream":
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		w, err := stream.NewWriter(file, stream.ChunkSize(4000), stream.TypeSize(4), stream.Workers(1+rng.IntN(2)))
		if err != nil {
			return err
		}
		return pour(w, 0, 1, rng)
	case "append":
		for {
			f, err := frame.OpenFile(path)
			if err != nil {
				return err
			}
			at := f.Size()
			f.Close()
			w, err := stream.AppendFile(path)
			if err != nil {
				return err
			}
			if err := errors.Join(pourSome(w, int(at), rng), w.Close()); err != nil {
				return err
			}
		}
	case "array":
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		w, err := b2nd.NewWriter(file, growing, stream.Workers(1+rng.IntN(2)))
		if err != nil {
			return err
		}
		return pour(w, 0, growingRow, rng)
	case "array edit":
		e, err := b2nd.EditFile(path)
		for err == nil {
			n := int(e.Shape()[0])
			err = errors.Join(e.Append(0, pattern(n*growingRow, (1+rng.IntN(200))*growingRow)), e.Commit())
			say('C', e.Shape()[0]*growingRow)
		}
		return err
	case "sparse":
		s, err := frame.EditSparse(frame.OSDir(path))
		for n := sparseHeld; err == nil; {
			k := 1 + rng.IntN(9000)
			err = errors.Join(s.Append(pattern(n, k)), s.Commit())
			n += k
			say('C', int64(n))
		}
		return err
	default:
		e, err := frame.EditFile(path, frame.RecoverTail())
		for err == nil {
			n := int(e.Size())
			err = errors.Join(e.Append(pattern(n, 1+rng.IntN(9000))), e.SetVLMeta("size", strconv.AppendInt(nil, e.Size(), 10)), e.Commit())
			say('C', e.Size())
		}
		return err
	}
}

// pour writes without end, and reports flushed bytes in whole units.
func pour(w session, at, unit int, rng *rand.Rand) error {
	for {
		n := 1 + rng.IntN(9000)
		if _, err := w.Write(pattern(at, n)); err != nil {
			return err
		}
		at += n
		switch rng.IntN(4) {
		case 0:
			if err := w.Flush(); err != nil {
				return err
			}
			say('F', int64(at/unit*unit))
		case 1:
			if err := w.Checkpoint(); err != nil {
				return err
			}
			say('C', int64(at/unit*unit))
		}
		if at > 32<<20 {
			time.Sleep(time.Hour)
		}
	}
}

// pourSome writes for a few rounds.
func pourSome(w *stream.FileWriter, at int, rng *rand.Rand) error {
	for range 1 + rng.IntN(8) {
		n := 1 + rng.IntN(9000)
		if _, err := w.Write(pattern(at, n)); err != nil {
			return err
		}
		at += n
		if rng.IntN(2) == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
			say('F', int64(at))
		}
	}
	return nil
}

// recovered reads the file of a killed process, including flushed data, by opening
// it or by Repair.
func recovered(kind, path string) ([]byte, error) {
	if kind == "sparse" {
		return contentOfFolder(path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	got, err := content(kind, b, frame.AllowTorn())
	out := newDisk(nil)
	if _, rerr := frame.Repair(out, bytes.NewReader(b), int64(len(b)), frame.RecoverTail()); rerr == nil {
		if more, rerr := content(kind, out.b); rerr == nil && len(more) > len(got) {
			return more, nil
		}
	}
	return got, err
}

// contentOfFolder reads a sparse frame whose writer may have died.
func contentOfFolder(path string) ([]byte, error) {
	f, err := frame.OpenFile(path, frame.AllowTorn())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, f.Size())
	n, err := f.ReadAt(data, 0)
	if err == io.EOF {
		err = nil
	}
	return data[:n], err
}

const (
	sparseHeld = 3000
)

// prepare makes the file that a child of a kind continues, and returns the number
// of its bytes.
func prepare(t *testing.T, kind, path string, rng *rand.Rand) (held int) {
	t.Helper()
	switch kind {
	case "stream", "array":
		return 0
	case "sparse":
		must(t, os.Mkdir(path, 0o777))
		s, err := frame.CreateSparse(frame.OSDir(path), &header.Header{TypeSize: 4, ChunkSize: 4000, Level: 5})
		must(t, err)
		must(t, errors.Join(s.Append(pattern(0, sparseHeld)), s.Commit()))
		return sparseHeld
	}
	d := newDisk(nil)
	var w session
	var err error
	if kind == "array edit" {
		held = (10 + rng.IntN(100)) * growingRow
		w, err = b2nd.NewWriter(d, growing, stream.Workers(1))
	} else {
		held = 3000 + rng.IntN(3000)
		w, err = stream.NewWriter(d, stream.ChunkSize(4000), stream.TypeSize(4), stream.Workers(1))
	}
	must(t, err)
	_, err = w.Write(pattern(0, held))
	must(t, errors.Join(err, w.Close(), os.WriteFile(path, d.b, 0o666)))
	return held
}

// A process that is killed while it writes leaves every flushed byte, and committed
// data are found by opening the file.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	kinds := []string{"stream", "append", "edit", "array", "array edit", "sparse"}
	var kills, silent, bytesFlushed atomic.Int64
	var first sync.Once
	lib := b2test.Oracle(t, 2)
	spread(pick(36, 3000), func(i int) {
		rng := rand.New(rand.NewPCG(uint64(i), 12))
		kind := kinds[i%len(kinds)]
		path := filepath.Join(dir, fmt.Sprint(i))
		held := prepare(t, kind, path, rng)
		flushed, committed := kill(t, kind, path, uint64(i), time.Duration(rng.IntN(60_000))*time.Microsecond+4*time.Millisecond)
		kills.Add(1)
		if flushed == 0 {
			silent.Add(1)
			if held == 0 {
				return // the child was killed before it reported anything
			}
		}
		bytesFlushed.Add(flushed)
		got, err := recovered(kind, path)
		if least := max(flushed, int64(held)); int64(len(got)) < least || !bytes.Equal(got, pattern(0, len(got))) {
			t.Errorf("%s, seed %d: %d bytes recovered, %d were flushed: %v", kind, i, len(got), least, err)
		}
		if committed = max(committed, int64(held)); committed == 0 {
			return
		}
		read := func() ([]byte, error) {
			b, err := os.ReadFile(path)
			must(t, err)
			return content(kind, b)
		}
		if kind == "sparse" {
			read = func() ([]byte, error) { return contentOfFolder(path) }
		}
		if got, err := read(); err != nil || int64(len(got)) < committed || !bytes.Equal(got, pattern(0, len(got))) {
			t.Errorf("%s, seed %d: %d bytes found, %d were committed: %v", kind, i, len(got), committed, err)
		} else if i%10 < 3 && !strings.HasPrefix(kind, "array") { // an array's chunks are in another order
			first.Do(func() { t.Logf("%v reads what was committed too", lib) })
			if theirs, err := lib.Decode(t, "read-frame", path); err != nil || int64(len(theirs)) < committed || !bytes.HasPrefix(got, theirs) {
				t.Errorf("%s, seed %d: %v: %d bytes, %d were committed: %v", kind, i, lib, len(theirs), committed, err)
			}
		}
	})
	t.Logf("%d kills (%s), %d of them before anything was flushed; on average %d bytes had been flushed", kills.Load(), strings.Join(kinds, ", "), silent.Load(), bytesFlushed.Load()/max(kills.Load(), 1))
}
