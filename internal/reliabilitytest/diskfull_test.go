package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// failing calls do with disks that fail at the first call, the second and so
// on, in three ways: with nothing written, with half, and with half and no
// error. It ends where do comes through, and gives the number of failures.
func failing(t *testing.T, start []byte, do func(d *disk) error, after func(d *disk, err error)) (failures int) {
	t.Helper()
	for _, way := range []struct{ partly, short bool }{{}, {partly: true}, {true, true}} {
		for left := 0; ; left++ {
			d := newDisk(start)
			d.left, d.partly, d.short = left, way.partly, way.short
			err := do(d)
			if !d.failed {
				if err != nil {
					t.Fatalf("no call failed: %v", err)
				}
				break
			}
			failures++
			after(d, err)
		}
	}
	return failures
}

// A disk that fails at any call ends a writer with that error, and leaves a
// frame that was there before as it was, or as it would be.
func TestDiskFails(t *testing.T) {
	const held, more = 1100, 1500
	d := newDisk(nil)
	w, err := stream.NewWriter(d, common()...)
	must(t, err)
	_, err = w.Write(pattern(0, held))
	must(t, errors.Join(err, w.Close()))
	start := d.b
	for _, c := range []struct {
		name  string
		start []byte
		do    func(d *disk) error
	}{
		{"stream", nil, func(d *disk) error {
			w, err := stream.NewWriter(d, common()...)
			if err != nil {
				return err
			}
			return writeAll(w, 0, more)
		}},
		{"stream with two workers", nil, func(d *disk) error {
			w, err := stream.NewWriter(d, common(stream.Workers(2))...)
			if err != nil {
				return err
			}
			return writeAll(w, 0, more)
		}},
		{"append", start, func(d *disk) error {
			w, err := stream.Append(d, int64(len(d.b)), stream.Workers(1))
			if err != nil {
				return err
			}
			return writeAll(w, held, more)
		}},
		{"editor", start, func(d *disk) error {
			e, err := frame.Edit(d, int64(len(d.b)))
			if err != nil {
				return err
			}
			err = errors.Join(e.Append(pattern(held, 700)), e.Append(pattern(held+700, more-700)))
			err = errors.Join(err, e.Commit())
			return errors.Join(err, e.Close())
		}},
		{"seal", unsealed(t, pattern(0, held)), func(d *disk) error { return frame.Seal(d, int64(len(d.b))) }},
	} {
		n := failing(t, c.start, c.do, func(d *disk, err error) {
			if !errors.Is(err, errBroken) && !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s: %d calls work, then: %v", c.name, len(d.log), err)
			}
			if c.start == nil {
				return
			}
			got, err := content(c.name, d.b)
			if err != nil || len(got) < held || !bytes.Equal(got, pattern(0, len(got))) {
				t.Errorf("%s: after %d calls the frame gives %d bytes: %v", c.name, len(d.log), len(got), err)
			}
		})
		t.Logf("%s: %d failures", c.name, n)
		if n < 3 {
			t.Errorf("%s: too few failures", c.name)
		}
	}
}

// writeAll writes n bytes of the pattern in three parts, with a Flush and a
// Checkpoint between.
func writeAll(w *stream.Writer, at, n int) (err error) {
	defer func() { err = errors.Join(err, w.Close()) }()
	for i, step := range []func() error{w.Flush, w.Checkpoint, func() error { return nil }} {
		from, to := at+i*n/3, at+(i+1)*n/3
		if _, err := w.Write(pattern(from, to-from)); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return w.Close()
}
