package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// Logs of earlier versions are read, verified, sealed and continued.
func TestGoldenLogs(t *testing.T) {
	libs := b2test.Oracles(t)
	data := squares(70_000)
	for _, g := range goldenLogs {
		t.Run(g.folder+"/"+g.name, func(t *testing.T) {
			b := g.read(t)
			opened := g.folder == "open"
			// Uncommitted data are read in open frames, and in those that were
			// never committed.
			visible := g.flushed
			if !opened && g.committed > 0 {
				visible = g.committed
			}
			f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
			must(t, err)
			if f.Open() != opened {
				t.Errorf("open: %t", f.Open())
			}
			got, err := content("", b, frame.AllowTorn())
			if err != nil || !bytes.Equal(got, data[:visible]) {
				t.Errorf("frame: %d bytes of %d: %v", len(got), visible, err)
			}
			for what, src := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
				r, err := stream.NewReader(src, stream.Workers(1))
				must(t, err)
				got, err := io.ReadAll(r)
				// Without a commit the frame does not record that it has ended.
				if errors.Is(err, io.ErrUnexpectedEOF) && g.committed == 0 {
					err = nil
				}
				if err != nil || !bytes.Equal(got, data[:visible]) {
					t.Errorf("stream, %s: %d bytes of %d: %v", what, len(got), visible, err)
				}
				r.Close()
			}
			rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
			if err != nil || rep.NBytes != int64(visible) || rep.Sound() != (opened || g.committed > 0) ||
				(rep.Open > 0) != opened || opened && rep.Flushed != int64(g.flushed-g.committed) {
				t.Errorf("verify: %+v, %v", rep, err)
			}
			sealed := newDisk(b)
			if err := frame.Seal(sealed, int64(len(b))); !opened && g.committed == 0 {
				if !errors.Is(err, io.ErrUnexpectedEOF) { // the end is incomplete, which Append and Repair handle
					t.Errorf("seal: %v", err)
				}
			} else if err != nil {
				t.Errorf("seal: %v", err)
			} else {
				g.whole(t, libs, "sealed", sealed.b, data[:visible])
			}

			d := newDisk(b)
			w, err := stream.Append(d, int64(len(b)), stream.Workers(1))
			must(t, err)
			if want := int64(g.flushed - g.committed); w.Recovered() != want {
				t.Errorf("recovered %d bytes, not %d", w.Recovered(), want)
			}
			_, err = w.Write(data[g.flushed : g.flushed+3333])
			must(t, errors.Join(err, w.Close()))
			g.whole(t, libs, "appended", d.b, data[:g.flushed+3333])

			if g.committed == 0 {
				return
			}
			d = newDisk(b)
			w, err = stream.Append(d, int64(len(b)), stream.Workers(1), stream.DropTail())
			must(t, err)
			_, err = w.Write(data[g.committed : g.committed+3333])
			must(t, errors.Join(err, w.Close()))
			g.whole(t, libs, "appended without the tail", d.b, data[:g.committed+3333])
		})
	}
}
