package frame_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// In a checked frame any flipped bit is a fault.
func TestVerifyFlips(t *testing.T) {
	sealed, unsealed, _, _ := small(t)
	for what, b := range map[string][]byte{"sealed": sealed, "unsealed": unsealed} {
		if rep := verify(t, b, 1); !rep.Sound() || rep.Chunks != 3 || rep.Checked != 3 || rep.Superseded != 1 || !rep.Records || rep.Trailing != 0 {
			t.Errorf("%s: %+v", what, rep)
		}
		for bit := range 8 * len(b) {
			b[bit/8] ^= 1 << (bit % 8)
			if rep := verify(t, b, 1); rep.Sound() {
				t.Errorf("%s: bit %d of byte %d is not noticed", what, bit%8, bit/8)
			}
			b[bit/8] ^= 1 << (bit % 8)
		}
		t.Logf("%s: %d flips noticed", what, 8*len(b))
	}
}

// Frames of the corpus are sound, except those that must be rejected.
func TestVerifyCorpus(t *testing.T) {
	sound, faulty := 0, 0
	for _, e := range b2test.Corpus(t) {
		if info, err := os.Stat(e.File()); err != nil || info.IsDir() || e.Kind != "frame" && (e.Kind != "b2nd" || e.Reject != "") {
			continue
		}
		rep := verify(t, e.Bytes(t), 2)
		switch {
		case e.Reject == "" && !rep.Sound():
			t.Errorf("%s: %v", e.Path, rep.Err())
		case e.Reject == "":
			sound++
		case rep.Sound():
			t.Errorf("%s: sound; %s", e.Path, e.Reject)
		default:
			faulty++
		}
	}
	t.Logf("%d frames sound, %d faulty", sound, faulty)
}

// Each faulty chunk is reported with its number; the others are checked.
func TestVerifyFaults(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	for _, c := range cut(ramp(10_000), 1000) {
		m.chunk(c)
	}
	m.tail()
	b := m.sealed()
	_, f, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	at := int64(len(m.head))
	for n := range int64(10) {
		h, err := f.ChunkHeader(n)
		if err != nil {
			t.Fatal(err)
		}
		if n == 3 || n == 7 {
			b[at+40] ^= 1
		}
		at += int64(h.CBytes) + framing.RecordLen
	}
	for _, workers := range []int{1, 3} {
		rep := verify(t, append(bytes.Clone(b), "junk"...), workers)
		if len(rep.Faults) != 3 || !errors.Is(rep.Faults[2].Err, blosc2.ErrTrailing) || rep.Checked != 8 || rep.Chunks != 10 || rep.Trailing != 4 {
			t.Errorf("%d workers: %+v", workers, rep)
		}
	}
}

// A damaged index does not hide the frames after it.
func TestVerifyMany(t *testing.T) {
	sealed, unsealed, _, _ := small(t)
	broken := bytes.Clone(sealed)
	broken[len(broken)-60] ^= 1
	all := append(append(bytes.Clone(broken), unsealed...), sealed...)
	rep := verify(t, all, 1)
	if rep.Frames != 3 || rep.Chunks != 6 || len(rep.Faults) == 0 {
		t.Errorf("%+v", rep)
	}
	for _, f := range rep.Faults {
		if f.Frame != 0 {
			t.Errorf("frame %d: %v", f.Frame, f.Err)
		}
	}
}

// Several workers share large chunks, and find the same faults as one worker.
func TestVerifyShared(t *testing.T) {
	const size = 2 << 20
	m := newMaker(t, size, building{})
	for _, c := range cut(ramp(2*size), size) {
		m.chunk(c)
	}
	m.tail()
	whole := m.sealed()
	_, f, err := readAll(whole)
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.ChunkHeader(0)
	if err != nil {
		t.Fatal(err)
	}
	faulty := 0
	for _, at := range []int{-1, 100, h.CBytes / 3, h.CBytes / 2, h.CBytes - 100} {
		b := bytes.Clone(whole)
		if at >= 0 {
			for i := range 8 { // some of these bytes are offsets of matches
				b[len(m.head)+at+i] ^= 0xff
			}
		}
		want := verify(t, b, 1)
		if !want.Sound() {
			faulty++
		}
		for range 5 {
			if got := verify(t, b, 4); got.Err() != nil != (want.Err() != nil) || got.Err() != nil && got.Err().Error() != want.Err().Error() || got.Unchecked != want.Unchecked {
				t.Errorf("damage at %d: one worker: %+v; four: %+v", at, want, got)
			}
		}
	}
	if faulty == 0 {
		t.Error("the damage shows nowhere")
	}
}

// Progress counts all stored bytes of several frames, in ascending order.
func TestProgress(t *testing.T) {
	sealed, _, _, _ := small(t)
	all := append(bytes.Clone(sealed), sealed...)
	file, one := filepath.Join(t.TempDir(), "f.b2frame"), filepath.Join(t.TempDir(), "f.b2frame")
	if err := errors.Join(os.WriteFile(file, all, 0o666), os.WriteFile(one, sealed, 0o666)); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func(frame.Option) error{
		"verify": func(o frame.Option) error {
			_, err := frame.Verify(bytes.NewReader(all), int64(len(all)), o)
			return err
		},
		"repair":  func(o frame.Option) error { _, _, err := repair(t, all, o); return err },
		"compact": func(o frame.Option) error { return frame.CompactFile(file, o) },
		"renew":   func(o frame.Option) error { return frame.RenewFile(one, o) },
	} {
		last, calls := int64(0), 0
		err := do(frame.Progress(func(done, total int64) {
			if calls++; done <= last || done > total || total > int64(len(all)) {
				t.Errorf("%s: %d of %d bytes after %d", what, done, total, last)
			}
			last = done
		}))
		if err != nil || calls < 3 || what != "renew" && last < int64(len(sealed)) {
			t.Errorf("%s: %d of %d bytes in %d calls, %v", what, last, len(all), calls, err)
		}
	}
}
