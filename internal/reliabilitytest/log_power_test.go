package reliabilitytest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// If a process dies during any write of a log, all flushed data can be read, and the
// log can be continued.
func TestLogDies(t *testing.T) {
	deaths, displaced, jumped := 0, 0, 0
	for seed := range uint64(pick(1, 12)) {
		for i, k := range logKinds() {
			h, data := logHistory(t, k, rand.New(rand.NewPCG(seed, uint64(i))), 90)
			h.killed(h.start, true, 0, func(n int, b []byte) {
				least := max(promised(h.flushed, n), h.held)
				if least == 0 {
					return
				}
				if deaths++; bytes.Contains(b, []byte("B2CK\x05\x01")) {
					jumped++
				}
				if deaths%16 == 0 && isDisplaced(b) {
					displaced++
				}
				err := logError(b, data, least, int64(len(data)), false)
				if err == nil && deaths%3 == 0 {
					_, err = goesOn(b, data, k, least, int64(len(data)), false)
				}
				if err != nil {
					t.Errorf("seed %d, %v, change %d of %d: %v", seed, k, n, len(h.log), err)
				}
			})
		}
	}
	t.Logf("%d deaths, %d of logs that went on after a tail; of every 16th, %d with a displaced chunk", deaths, jumped, displaced)
	if jumped == 0 || displaced == 0 {
		t.Error("something never came to pass")
	}
}

// If the power fails at any moment, all data as of the last Checkpoint can be read, and
// the log can be continued. C-Blosc2 reads them too, except for ranges in the window
// between the last two writes of a commit.
func TestLogPowerCut(t *testing.T) {
	libs, path := b2test.Oracles(t), filepath.Join(t.TempDir(), "log")
	cuts, lossy, refused, theirs := 0, 0, 0, newTheirs()
	for seed := range uint64(pick(1, 20)) {
		for i, k := range logKinds() {
			rng := rand.New(rand.NewPCG(seed, 100+uint64(i)))
			h, data := logHistory(t, k, rng, 90)
			h.powerCut(h.start, 6, rng, func(n int, b []byte) {
				least := max(promised(h.committed, n), h.held)
				if least == 0 {
					return
				}
				sure := int64(len(data))
				if k.unsure { // uncommitted data are reliable only with digests
					sure = least
				}
				cuts++
				if loss := lossOf(b); loss != nil {
					lossy++
					if _, err := goOn(newDisk(b), k, 1000); err != nil {
						refused++
					}
				}
				err := logError(b, data, least, sure, true)
				var closed []byte
				if err == nil && cuts%3 == 0 {
					closed, err = goesOn(b, data, k, least, sure, true)
				}
				if err != nil {
					t.Errorf("seed %d, %v, change %d of %d: %v", seed, k, n, len(h.log), err)
				}
				if k.long || cuts%pick(97, 211) != 0 {
					return
				}
				must(t, os.WriteFile(path, b, 0o666))
				for _, lib := range libs {
					if err := theirs.committed(t, lib, path, data, least); err != nil {
						t.Errorf("seed %d, %v, change %d of %d: %v", seed, k, n, len(h.log), err)
					}
				}
				if closed == nil {
					d := newDisk(b)
					must(t, frame.Seal(d, int64(len(d.b)), frame.DropDamaged()))
					closed = d.b
				}
				must(t, os.WriteFile(path, closed, 0o666))
				want, err := content("", closed)
				must(t, err)
				for _, lib := range libs {
					if err := whole(t, lib, path, want); err != nil {
						t.Errorf("seed %d, %v, change %d of %d, closed: %v", seed, k, n, len(h.log), err)
					}
				}
			})
		}
	}
	t.Logf("%d power cuts, of which %d lose what was flushed, and Append refuses %d; %v", cuts, lossy, refused, theirs)
}

// A theirs counts how often C-Blosc2 reads logs that are not closed.
type theirs struct{ states, ranges, refused int }

func newTheirs() *theirs { return new(theirs) }

func (c *theirs) String() string {
	return fmt.Sprintf("C-Blosc2 reads the committed chunks of all %d states that it was given, and of %d of them (%.1f %%) no range up to the end",
		c.states, c.refused, percent(int64(c.refused), int64(c.ranges)))
}

// committed reads a log with C-Blosc2 by chunks, and a range of it up to the end.
func (c *theirs) committed(t *testing.T, lib b2test.Library, path string, data []byte, least int64) error {
	got, err := lib.Decode(t, "read-frame", path)
	if err != nil || int64(len(got)) < least || len(got) > len(data) || !bytes.Equal(got, data[:len(got)]) {
		return fmt.Errorf("C-Blosc2 %d reads %d bytes, %d were committed: %w", lib.Major, len(got), least, err)
	}
	c.states++
	f, err := frame.OpenFile(path, frame.DropTail())
	if err != nil {
		return err
	}
	defer f.Close()
	size := f.Header().NBytes
	if size%4 != 0 {
		return nil
	}
	c.ranges++
	part, err := rangeOf(t, lib, path, max(size-900, 0)/4, size/4)
	if err != nil {
		c.refused++
		return nil
	}
	if !bytes.Equal(part, data[max(size-900, 0)/4*4:size]) {
		return fmt.Errorf("C-Blosc2 %d reads a wrong range up to %d", lib.Major, size)
	}
	return nil
}

// whole reads a closed frame with C-Blosc2, and reads its end as a range.
func whole(t *testing.T, lib b2test.Library, path string, want []byte) error {
	got, err := lib.Decode(t, "read-frame", path)
	if err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("C-Blosc2 %d reads %d bytes of %d: %w", lib.Major, len(got), len(want), err)
	}
	stop := len(want) / 4
	start := max(stop-500, 0)
	if got, err = rangeOf(t, lib, path, int64(start), int64(stop)); err != nil || !bytes.Equal(got, want[4*start:4*stop]) {
		return fmt.Errorf("C-Blosc2 %d, items %d to %d: %d bytes: %w", lib.Major, start, stop, len(got), err)
	}
	return nil
}

// rangeOf returns items [start, stop), of 4 bytes each, as C-Blosc2 reads them.
func rangeOf(t *testing.T, lib b2test.Library, path string, start, stop int64) ([]byte, error) {
	out := filepath.Join(t.TempDir(), "range")
	if _, err := lib.RunErr("read-range", "--start", strconv.FormatInt(start, 10), "--stop", strconv.FormatInt(stop, 10), path, out); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}
