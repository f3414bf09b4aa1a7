package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A badDisk is a disk on which one read, or one other call, fails.
type badDisk struct {
	*disk
	reads int // number of reads that work before one fails; negative: all reads
	once  bool
}

func (d *badDisk) ReadAt(p []byte, off int64) (int, error) {
	if d.reads == 0 {
		d.reads, d.failed = -1, true
		return 0, errBroken
	}
	d.reads--
	return d.disk.ReadAt(p, off)
}

func (d *badDisk) WriteAt(p []byte, off int64) (int, error) {
	n, err := d.disk.WriteAt(p, off)
	d.recover()
	return n, err
}

func (d *badDisk) Write(p []byte) (int, error) {
	n, err := d.WriteAt(p, d.pos)
	d.pos += int64(n)
	return n, err
}

func (d *badDisk) Truncate(size int64) error {
	err := d.disk.Truncate(size)
	d.recover()
	return err
}

func (d *badDisk) Sync() error {
	err := d.disk.Sync()
	d.recover()
	return err
}

func (d *badDisk) recover() {
	if d.failed && d.once {
		d.left = -1
	}
}

// logSession writes to a log on a disk that may fail, and records what was
// reported. It returns the first error, and whether later calls return it too.
func logSession(t *testing.T, d *badDisk, k logKind, data []byte, held int, seed uint64) (flushed, committed int64, err error) {
	rng := rand.New(rand.NewPCG(seed, 9))
	flushed = int64(held)
	w, err := func() (*stream.Writer, error) {
		if held == 0 {
			return stream.NewWriter(d, k.options(600)...)
		}
		return stream.Append(d, int64(len(d.b)), stream.Workers(k.workers))
	}()
	if err != nil {
		return flushed, committed, err
	}
	at := held
	for i := 0; i < 24 && err == nil; i++ {
		n := rng.IntN(120)
		if rng.IntN(4) == 0 {
			n = rng.IntN(1500)
		}
		if _, err = w.Write(data[at : at+n]); err != nil {
			break
		}
		at += n
		switch {
		case i%5 == 4:
			if err = w.Checkpoint(); err == nil {
				flushed, committed = int64(at), int64(at)
			}
		case i%2 == 0:
			if err = w.Flush(); err == nil {
				flushed = int64(at)
			}
		}
	}
	if err == nil {
		if err = w.Close(); err == nil {
			flushed, committed = int64(at), int64(at)
		}
		return flushed, committed, err
	}
	_, werr := w.Write(data[at : at+1])
	for _, again := range []error{werr, w.Flush(), w.Checkpoint(), w.Close(), w.Abort(nil)} {
		if !errors.Is(again, err) && again != err {
			t.Errorf("%v: after %v a later call returns %v", k, err, again)
		}
	}
	return flushed, committed, err
}

// If any call of a log's disk fails, the log returns that error from then on. All data
// that were reported as safe are found, and the log can be continued when the disk
// works again.
func TestLogFails(t *testing.T) {
	failures := 0
	for i, k := range logKinds() {
		data := k.data(40_000)
		start := newDisk(nil)
		held := 0
		if k.appended { // the frame was left open, with a part of a chunk
			held = 1000
			w, err := stream.NewWriter(start, k.options(600)...)
			must(t, err)
			_, err = w.Write(data[:700])
			must(t, errors.Join(err, w.Checkpoint()))
			_, err = w.Write(data[700:held])
			must(t, errors.Join(err, w.Flush()))
		}
		for _, way := range []struct{ reads, partly, short, once bool }{
			{}, {partly: true}, {partly: true, short: true}, {once: true}, {partly: true, once: true}, {partly: true, short: true, once: true}, {reads: true},
		} {
			for left := 0; ; left++ {
				d := &badDisk{disk: newDisk(start.b), reads: -1, once: way.once}
				if d.partly, d.short = way.partly, way.short; way.reads {
					d.reads = left
				} else {
					d.left = left
				}
				flushed, _, err := logSession(t, d, k, data, held, uint64(i))
				if !d.failed {
					must(t, err)
					break
				}
				failures++
				if err != nil && !errors.Is(err, errBroken) && !errors.Is(err, io.ErrShortWrite) {
					t.Errorf("%v, %+v, call %d: %v", k, way, left, err)
				}
				if err == nil && !way.reads {
					t.Errorf("%v, %+v, call %d: no error", k, way, left)
				}
				if flushed == 0 {
					continue
				}
				err = logError(d.b, data, flushed, int64(len(data)), way.partly)
				if err == nil {
					_, err = goesOn(d.b, data, k, flushed, int64(len(data)), way.partly)
				}
				if err != nil {
					t.Errorf("%v, %+v, call %d: %v", k, way, left, err)
				}
			}
		}
	}
	t.Logf("%d failures", failures)
}

// A read that fails returns an error, and does not make a log shorter.
func TestLogReadFails(t *testing.T) {
	for i, k := range logKinds() {
		h, _ := logHistory(t, k, rand.New(rand.NewPCG(5, uint64(i))), 60)
		n := 0
		h.killed(h.start, true, 0, func(_ int, b []byte) {
			if n++; n%pick(29, 7) != 0 {
				return
			}
			whole, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
			if err != nil {
				return
			}
			for reads := 0; ; reads++ {
				d := &badDisk{disk: newDisk(b), reads: reads}
				d.left = -1
				f, err := frame.Open(d, int64(len(b)), frame.AllowTorn())
				if !d.failed {
					must(t, err)
					break
				}
				if err == nil && (f.Size() != whole.Size() || f.NumChunks() != whole.NumChunks()) {
					t.Errorf("%v: read %d fails and %d bytes of %d are found", k, reads, f.Size(), whole.Size())
				}
				if err != nil && !errors.Is(err, errBroken) {
					t.Errorf("%v: read %d: %v", k, reads, fmt.Errorf("another error: %w", err))
				}
			}
		})
	}
}
