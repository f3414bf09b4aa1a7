package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// failing calls do with disks that fail at the first call, the second and so on, in
// three ways: with nothing written, with half written, and with half written and no
// error. It ends when do succeeds, and returns the number of failures.
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

// A diskVictim is something that writes to a disk.
type diskVictim struct {
	name  string
	kind  string // kind of what it writes: see content
	start []byte // contents of the disk at the beginning; nil if it is empty
	do    func(d *disk) error
	steps bool // there are intermediate commits, so the result may be any prefix of the pattern
}

// diskVictims returns everything that writes to a frame.File or a stream's sink.
func diskVictims(t *testing.T) []diskVictim {
	start := sealedFrame(t)
	holed, _ := edited(t, start, pattern(0, held))
	rows, _ := array(t)
	return []diskVictim{
		{name: "stream", do: func(d *disk) error {
			w, err := stream.NewWriter(d, common()...)
			if err != nil {
				return err
			}
			return writeAll(w, 0, more)
		}},
		{name: "stream with two workers", do: func(d *disk) error {
			w, err := stream.NewWriter(d, common(stream.Workers(2))...)
			if err != nil {
				return err
			}
			return writeAll(w, 0, more)
		}},
		{name: "append", start: start, steps: true, do: func(d *disk) error {
			w, err := stream.Append(d, int64(len(d.b)), stream.Workers(1))
			if err != nil {
				return err
			}
			return writeAll(w, held, more)
		}},
		{name: "editor", start: start, steps: true, do: func(d *disk) error {
			e, err := frame.Edit(d, int64(len(d.b)))
			if err != nil {
				return err
			}
			err = errors.Join(e.Append(pattern(held, 700)), e.Append(pattern(held+700, more-700)))
			return errors.Join(err, e.Commit(), e.Close())
		}},
		{name: "editor of many things", start: start, do: func(d *disk) error {
			e, err := frame.Edit(d, int64(len(d.b)))
			if err != nil {
				return err
			}
			err = errors.Join(e.Insert(1, pattern(7000, 400)), e.Update(0, pattern(8000, 400)), e.Delete(2),
				e.SetVLMeta("note", pattern(0, 300)), e.SetMetalayer("mine", []byte("THE METALAY")))
			return errors.Join(err, e.Commit(), e.Close())
		}},
		{name: "editor that deletes all", start: start, do: func(d *disk) error {
			e, err := frame.Edit(d, int64(len(d.b)))
			if err != nil {
				return err
			}
			err = errors.Join(e.SetVLMeta("note", nil), e.SetVLMeta("early", nil))
			for range 3 {
				err = errors.Join(err, e.Delete(0))
			}
			return errors.Join(err, e.Commit(), e.Close())
		}},
		{name: "seal", start: unsealed(t, pattern(0, held)), do: func(d *disk) error { return frame.Seal(d, int64(len(d.b))) }},
		{name: "renew", start: start, do: func(d *disk) error { return frame.Renew(d, int64(len(d.b))) }},
		{name: "compact", do: func(d *disk) error {
			f, err := frame.Open(bytes.NewReader(holed), int64(len(holed)))
			if err != nil {
				return err
			}
			return f.Compact(d)
		}},
		{name: "repair", do: func(d *disk) error {
			_, err := frame.Repair(d, bytes.NewReader(start), int64(len(start)))
			return err
		}},
		{name: "array", kind: "array", do: func(d *disk) error {
			w, err := b2nd.NewWriter(d, growing, stream.Workers(1))
			if err != nil {
				return err
			}
			_, err = w.Write(pattern(0, 25*growingRow))
			err = errors.Join(err, w.Flush())
			if err == nil {
				_, err = w.Write(pattern(25*growingRow, 20*growingRow))
				err = errors.Join(err, w.Checkpoint())
			}
			return errors.Join(err, w.Close())
		}},
		{name: "array editor", kind: "array", start: rows, do: func(d *disk) error {
			e, err := b2nd.Edit(d, int64(len(d.b)))
			if err != nil {
				return err
			}
			return errors.Join(editArray(e), e.Close())
		}},
	}
}

// If any call of a disk fails, the writer returns that error. The contents of the file
// are those before or after the change.
func TestDiskFails(t *testing.T) {
	for _, c := range diskVictims(t) {
		whole := newDisk(c.start)
		must(t, c.do(whole))
		want, err := content(c.kind, whole.b)
		must(t, err)
		var old []byte
		if c.start != nil {
			old, err = content(c.kind, c.start)
			must(t, err)
		}
		n := failing(t, c.start, c.do, func(d *disk, err error) {
			if !errors.Is(err, errBroken) && !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s: %d calls work, then: %v", c.name, len(d.log), err)
			}
			if c.start == nil {
				return
			}
			got, err := content(c.kind, d.b)
			between := c.steps && bytes.HasPrefix(want, got) && bytes.HasPrefix(got, old)
			if err != nil || !bytes.Equal(got, old) && !bytes.Equal(got, want) && !between {
				t.Errorf("%s: after %d calls there are %d bytes: %v", c.name, len(d.log), len(got), err)
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
