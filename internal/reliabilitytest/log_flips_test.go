package reliabilitytest

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A flipped bit in an open log is detected or harmless: a reader returns an error,
// or right bytes and no fewer than were committed. If there are fewer than were
// flushed, Verify reports that.
func TestLogFlips(t *testing.T) {
	data := squares(70_000)
	for _, g := range goldenLogs {
		if g.folder != "open" {
			continue
		}
		s := sample{name: g.name, b: g.read(t)}
		var fewer, failed, unsound, repaired, goneOn atomic.Int64
		tried := flips(t, s, pick(61, 1), func(b []byte, bit int) {
			where := fmt.Sprintf("%s: bit %d of byte %d", g.name, bit%8, bit/8)
			got, err := content("", b, frame.AllowTorn(), frame.WithLimits(tight))
			if err != nil {
				failed.Add(1)
			} else if len(got) < g.flushed {
				fewer.Add(1)
			}
			if !bytes.HasPrefix(data, got) || err == nil && len(got) < g.committed {
				t.Errorf("%s: frame: %d bytes: %v", where, len(got), err)
			}
			if r, err := stream.NewReader(bytes.NewReader(b), stream.Workers(1), stream.Limits(tight)); err == nil {
				got, err := io.ReadAll(r)
				if !bytes.HasPrefix(data, got) || err == nil && len(got) < g.committed {
					t.Errorf("%s: stream: %d bytes: %v", where, len(got), err)
				}
				r.Close()
			}
			rep, verr := frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
			must(t, verr)
			if !rep.Sound() {
				unsound.Add(1)
			} else if err != nil {
				t.Errorf("%s: sound, but: %v", where, err)
			} else if len(got) < g.flushed {
				t.Errorf("%s: sound, but %d bytes of %d", where, len(got), g.flushed)
			}
			d := newDisk(b)
			if w, err := stream.Append(d, int64(len(b)), stream.Workers(1)); err == nil {
				goneOn.Add(1)
				if err := w.Close(); err == nil {
					got, err := content("", d.b)
					if !bytes.HasPrefix(data, got) || err == nil && len(got) < g.committed {
						t.Errorf("%s: gone on: %d bytes: %v", where, len(got), err)
					}
				}
			}
			out := newDisk(nil)
			if rep, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight), frame.RecoverTail()); err == nil {
				got, err := content("", out.b)
				for _, l := range rep.Lost { // lost ranges are filled, and reported as lost
					if l.End <= int64(min(len(got), len(data))) {
						copy(got[l.Start:l.End], data[l.Start:l.End])
					}
				}
				if !bytes.HasPrefix(data, got) || err == nil && len(rep.Lost) == 0 && len(got) < g.committed {
					t.Errorf("%s: repaired: %d bytes, lost %v: %v", where, len(got), rep.Lost, err)
				} else if err == nil && len(got) >= g.committed {
					repaired.Add(1)
				}
			}
		})
		t.Logf("%s: %d bits: %d are errors, %d end before it; verify finds %d, %d can be gone on with, Repair saves what was committed of %d",
			g.name, tried, failed.Load(), fewer.Load(), unsound.Load(), goneOn.Load(), repaired.Load())
	}
}
