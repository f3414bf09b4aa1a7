package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// histories makes runs of writers of all kinds.
func histories(t *testing.T, seed uint64) map[string]*history {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	opts := append(common(stream.Checks(seed%4 != 3)), long(seed%2 == 1)...)
	all := map[string]*history{}

	base := []byte(nil)
	if seed%3 == 2 {
		base = make([]byte, 300)
	}
	h := &history{disk: newDisk(base), start: base, base: int64(len(base))}
	h.pos = h.base
	w, err := stream.NewWriter(h, opts...)
	must(t, err)
	h.work(t, rng, w, 0, 1)
	all["stream"] = h

	held := 700 + rng.IntN(500)
	d := newDisk(nil)
	w, err = stream.NewWriter(d, opts...)
	must(t, err)
	_, err = w.Write(pattern(0, held))
	must(t, errors.Join(err, w.Close()))
	h = &history{disk: newDisk(d.b), start: d.b, held: int64(held)}
	w, err = stream.Append(h, int64(len(d.b)), stream.Workers(1))
	must(t, err)
	h.work(t, rng, w, h.held, 1)
	all["append"] = h

	h = &history{disk: newDisk(d.b), start: d.b, held: int64(held)}
	e, err := frame.Edit(h, int64(len(d.b)))
	must(t, err)
	for range 4 {
		must(t, errors.Join(e.Append(pattern(int(e.Size()), 1+rng.IntN(900))), e.Commit()))
		h.flush(e.Size())
		h.commit(e.Size())
	}
	all["editor"] = h

	h = &history{disk: newDisk(nil)}
	a, err := b2nd.NewWriter(h, growing,
		append(long(seed%2 == 1), stream.Workers(1), stream.Checks(seed%4 != 3))...)
	must(t, err)
	h.work(t, rng, a, 0, growingRow)
	all["array"] = h

	rows := 5 + rng.IntN(30)
	d = newDisk(nil)
	a, err = b2nd.NewWriter(d, growing, append(long(seed%2 == 1), stream.Workers(1), stream.Checks(seed%4 != 3))...)
	must(t, err)
	_, err = a.Write(pattern(0, rows*growingRow))
	must(t, errors.Join(err, a.Close()))
	h = &history{disk: newDisk(d.b), start: d.b, held: int64(rows) * growingRow}
	ed, err := b2nd.Edit(h, int64(len(d.b)))
	must(t, err)
	for range 4 {
		more := 1 + rng.IntN(25)
		must(t, errors.Join(ed.Append(0, pattern(rows*growingRow, more*growingRow)), ed.Commit()))
		rows += more
		h.flush(int64(rows) * growingRow)
		h.commit(int64(rows) * growingRow)
	}
	all["array editor"] = h
	return all
}

// If the power fails at any moment, all data as of the last Checkpoint or Commit
// are found by opening the file. C-Blosc2 finds them too, unless the header spans
// sectors: only this library completes such a header.
func TestPowerCut(t *testing.T) {
	cuts, theirs := map[string]int{}, 0
	lib, path := b2test.Oracle(t, 2), filepath.Join(t.TempDir(), "frame")
	for seed := range uint64(pick(11, 120)) { // seed 10 found a loss of rows in an earlier version
		for kind, h := range histories(t, seed) {
			rng := rand.New(rand.NewPCG(seed, 6))
			h.powerCut(h.start, pick(6, 20), rng, func(k int, b []byte) {
				least := max(promised(h.committed, k), h.held)
				if least == 0 {
					return // no data were reported as safe: check only that Repair does not panic
				}
				cuts[kind]++
				got, err := content(kind, b[h.base:])
				same := len(got) // uncommitted data are reliable only with digests
				if seed%4 == 3 {
					same = min(same, int(least))
				}
				if err != nil || int64(len(got)) < least || !bytes.Equal(got[:same], pattern(0, same)) {
					t.Errorf("seed %d, %s, change %d of %d: %d bytes, %d were promised: %v", seed, kind, k, len(h.log), len(got), least, err)
				}
				if kind != "append" || seed%2 != 0 || cuts[kind]%40 != 0 {
					return
				}
				theirs++
				must(t, os.WriteFile(path, b, 0o666))
				if c, err := lib.Decode(t, "read-frame", path); err != nil || int64(len(c)) < least || !bytes.Equal(c, pattern(0, len(c))) {
					t.Errorf("seed %d, %s, change %d of %d: %v reads %d bytes, %d were promised: %v", seed, kind, k, len(h.log), lib, len(c), least, err)
				}
			})
		}
	}
	t.Logf("power cuts: %v; C-Blosc2 reads %d of the frames that were found after an append", cuts, theirs)
}

// If the process dies at any moment, all flushed data are found by opening the file,
// even if its end is incomplete, or by Repair.
func TestDies(t *testing.T) {
	deaths := map[string]int{}
	for seed := range uint64(pick(6, 200)) {
		for kind, h := range histories(t, seed) {
			// The new shape of an array is in the header. The test assumes that the
			// death of a process leaves no half-written header of an array. Other
			// frames can be read even then.
			h.killed(h.start, kind == "array editor", h.base, func(k int, b []byte) {
				least := max(promised(h.flushed, k), h.held)
				if least == 0 {
					return
				}
				deaths[kind]++
				b = b[h.base:]
				var errs error
				for way, try := range []func() ([]byte, error){
					func() ([]byte, error) { return content(kind, b, frame.AllowTorn()) },
					func() ([]byte, error) {
						out := newDisk(nil)
						_, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)), frame.RecoverTail())
						if err != nil {
							return nil, err
						}
						return content(kind, out.b)
					},
					func() ([]byte, error) {
						d := newDisk(b)
						_, err := frame.Edit(d, int64(len(b)), frame.RecoverTail())
						if err != nil {
							return nil, err
						}
						return content(kind, d.b)
					},
				} {
					got, err := try()
					if err == nil && !bytes.Equal(got, pattern(0, len(got))) {
						t.Errorf("seed %d, %s, change %d of %d: way %d returned wrong bytes", seed, kind, k, len(h.log), way)
					}
					if err == nil && int64(len(got)) >= least {
						return
					}
					errs = errors.Join(errs, err, fmt.Errorf("%d bytes", len(got)))
				}
				t.Errorf("seed %d, %s, change %d of %d: %d bytes were promised: %v", seed, kind, k, len(h.log), least, errs)
			})
		}
	}
	t.Logf("deaths: %v", deaths)
}

// An array never has more rows than were written if its writer dies in Close,
// although the chunks of the last slab do not record that they are incomplete.
// Flushed rows are present.
func TestDiesInClose(t *testing.T) {
	for _, rows := range []int{2, 12, 40, 132} {
		for _, flush := range []bool{true, false} {
			h := &history{disk: newDisk(nil)}
			a, err := b2nd.NewWriter(h, growing, stream.Workers(1))
			must(t, err)
			_, err = a.Write(pattern(0, rows*growingRow))
			must(t, err)
			least := 0
			if flush {
				must(t, a.Flush())
				least = rows * growingRow
			}
			written := len(h.log)
			must(t, a.Close())
			h.killed(nil, false, 0, func(k int, b []byte) {
				got, err := content("array", b, frame.AllowTorn())
				switch {
				case !bytes.Equal(got, pattern(0, min(len(got), rows*growingRow))):
					t.Errorf("%d rows, flushed %t, change %d of %d: %d rows, or others", rows, flush, k, len(h.log), len(got)/growingRow)
				case k >= written && (err != nil && flush || len(got) < least):
					t.Errorf("%d rows, flushed %t, change %d of %d: %d rows: %v", rows, flush, k, len(h.log), len(got)/growingRow, err)
				}
			})
		}
	}
}

// Repair does not treat uncommitted changes to the order of chunks as new rows. An edit
// that adds many rows makes such changes.
func TestEditIsNotRecovered(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 77))
		rows := 10 + rng.IntN(100)
		d := newDisk(nil)
		a, err := b2nd.NewWriter(d, growing, stream.Workers(1))
		must(t, err)
		_, err = a.Write(pattern(0, rows*growingRow))
		must(t, errors.Join(err, a.Close()))
		h := &history{disk: newDisk(d.b), start: d.b, held: int64(rows) * growingRow}
		ed, err := b2nd.Edit(h, int64(len(d.b)))
		must(t, err)
		for range 3 {
			more := 1 + rng.IntN(200)
			must(t, errors.Join(ed.Append(0, pattern(rows*growingRow, more*growingRow)), ed.Commit()))
			rows += more
			h.commit(int64(rows) * growingRow)
		}
		h.killed(h.start, true, h.base, func(k int, b []byte) {
			out := newDisk(nil)
			if _, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)), frame.RecoverTail()); err != nil {
				return // the header is half written
			}
			got, err := content("array", out.b)
			if err != nil || !bytes.Equal(got, pattern(0, len(got))) {
				t.Errorf("seed %d, change %d of %d: %d rows, or others: %v", seed, k, len(h.log), len(got)/growingRow, err)
			}
		})
	}
}
