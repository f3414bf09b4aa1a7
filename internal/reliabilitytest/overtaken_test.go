package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// An overtaken is the file of a log that is continued while it is read: after some
// reads it is in a later state.
type overtaken struct {
	states [][]byte
	now    int
	left   int // number of reads left in this state
	next   int
}

func (o *overtaken) ReadAt(p []byte, off int64) (int, error) {
	if o.left--; o.left < 0 {
		o.now = o.next
	}
	return bytes.NewReader(o.states[o.now]).ReadAt(p, off)
}

// statesOf returns the file of a log after each change: it is flushed, committed,
// closed and continued several times, so that open chunks reuse offsets of earlier
// ones.
func statesOf(t *testing.T, rng *rand.Rand, open func(d *disk) session) [][]byte {
	d := newDisk(nil)
	at := 0
	for range 4 {
		w := open(d)
		for range 3 + rng.IntN(4) {
			n := (1 + rng.IntN(900/growingRow)) * growingRow
			_, err := w.Write(pattern(at, n))
			must(t, err)
			at += n
			if rng.IntN(3) == 0 {
				must(t, w.Checkpoint())
			} else {
				must(t, w.Flush())
			}
		}
		must(t, w.Close())
	}
	states := [][]byte{nil}
	for _, c := range d.log {
		states = append(states, apply(bytes.Clone(states[len(states)-1]), c))
	}
	return states
}

// overtakenKinds returns how a log and a growing array are created or continued.
func overtakenKinds(t *testing.T) (logs, arrays func(d *disk) session) {
	opts := []stream.WriterOption{stream.ChunkSize(2000), stream.TypeSize(4), stream.Workers(1)}
	logs = func(d *disk) session {
		var w *stream.Writer
		var err error
		if len(d.b) == 0 {
			w, err = stream.NewWriter(d, opts...)
		} else {
			w, err = stream.Append(d, int64(len(d.b)), opts...)
		}
		must(t, err)
		return w
	}
	arrays = func(d *disk) session {
		var w *b2nd.Writer
		var err error
		if len(d.b) == 0 {
			w, err = b2nd.NewWriter(d, growing, stream.Workers(1))
		} else {
			w, err = b2nd.Append(d, int64(len(d.b)), stream.Workers(1))
		}
		must(t, err)
		return w
	}
	return logs, arrays
}

// If a writer changes the file between any two reads of a Reader, the Reader
// returns right bytes or blosc2.ErrChanged.
func TestOvertaken(t *testing.T) {
	logs, arrays := overtakenKinds(t)
	for _, kind := range []struct {
		name string
		open func(d *disk) session
		read func(f *frame.Reader, size int64) (off int64, got []byte, err error)
	}{
		{"parts", logs, func(f *frame.Reader, size int64) (int64, []byte, error) {
			b := make([]byte, min(f.Size(), size))
			off := f.Size() - int64(len(b))
			n, err := f.ReadAt(b, off)
			return off, b[:n], err
		}},
		{"chunks", logs, func(f *frame.Reader, size int64) (int64, []byte, error) {
			n := max(f.NumChunks()-1-size%2, 0)
			off, _, err := f.Extent(n)
			if err != nil {
				return 0, nil, err
			}
			b, err := f.Chunk(nil, n)
			return off, b, err
		}},
		{"rows", arrays, func(f *frame.Reader, size int64) (int64, []byte, error) {
			a, err := b2nd.FromFrame(f, b2nd.Cache(0), b2nd.Workers(1))
			if err != nil {
				return 0, nil, err
			}
			w := b2nd.All(a.Shape())
			w[0].Start = max(0, w[0].Stop-1-size/growingRow)
			b := make([]byte, (w[0].Stop-w[0].Start)*growingRow)
			if err := a.ReadWindow(b, w); err != nil {
				return 0, nil, err
			}
			return w[0].Start * growingRow, b, nil
		}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			reads, changed := 0, 0
			for seed := range uint64(pick(20, 1000)) {
				rng := rand.New(rand.NewPCG(seed, 5))
				states := statesOf(t, rng, kind.open)
				for range 2000 {
					first := rng.IntN(len(states))
					then := first + rng.IntN(min(len(states)-first, 25))
					last := then + rng.IntN(min(len(states)-then, 25))
					src := &overtaken{states: states, now: first, left: 1000, next: last}
					f, err := frame.Open(src, int64(len(states[first])), frame.AllowTorn())
					if err != nil || f.Size() == 0 {
						continue // the file is empty, or half of its header is written
					}
					left := rng.IntN(6)
					src.now, src.left = then, left
					off, got, err := kind.read(f, 1+rng.Int64N(4000))
					reads++
					if errors.Is(err, blosc2.ErrChanged) {
						changed++
					} else if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Errorf("seed %d, opened in state %d, read in %d and, after %d reads, %d of %d: %v", seed, first, then, left, last, len(states), err)
					}
					if !bytes.Equal(got, pattern(int(off), len(got))) {
						t.Fatalf("seed %d, opened in state %d, read in %d and, after %d reads, %d of %d: wrong bytes among %d at %d: %v",
							seed, first, then, left, last, len(states), len(got), off, err)
					}
				}
			}
			t.Logf("%d reads, of which %d returned ErrChanged", reads, changed)
		})
	}
}

// Changes by a writer while a reader opens or refreshes its log are not mistaken
// for damage.
func TestOvertakenNotLost(t *testing.T) {
	logs, arrays := overtakenKinds(t)
	for name, open := range map[string]func(d *disk) session{"logs": logs, "arrays": arrays} {
		opened, refreshed := 0, 0
		for seed := range uint64(pick(20, 1000)) {
			rng := rand.New(rand.NewPCG(seed, 6))
			states := statesOf(t, rng, open)
			for range 2000 {
				first := rng.IntN(len(states))
				then := first + rng.IntN(min(len(states)-first, 25))
				last := then + rng.IntN(min(len(states)-then, 25))
				src := &overtaken{states: states, now: first, left: rng.IntN(20), next: then}
				f, err := frame.Open(src, int64(len(states[first])), frame.AllowTorn())
				if err != nil {
					continue
				}
				opened++
				if f.Lost() != nil {
					t.Errorf("%s, seed %d: opened in state %d and then %d of %d: %v", name, seed, first, then, len(states), f.Lost())
				}
				size := int64(len(states[src.now]))
				src.left, src.next = rng.IntN(12), last
				if f, err = f.Refresh(size); err != nil {
					continue
				}
				refreshed++
				if f.Lost() != nil {
					t.Errorf("%s, seed %d: refreshed in state %d and then %d of %d: %v", name, seed, then, last, len(states), f.Lost())
				}
			}
		}
		t.Logf("%s: opened %d times, refreshed %d times", name, opened, refreshed)
	}
}
