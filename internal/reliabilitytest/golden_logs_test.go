package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A goldenLog is a file written by an earlier version. It holds a prefix of squares:
// committed and flushed are the numbers of bytes that had been committed and flushed.
type goldenLog struct {
	folder, name       string
	committed, flushed int
}

// goldenLogs holds logs of the version that rewrote short chunks as they grew
// (grown), and of the first one with open chunks (open).
var goldenLogs = []goldenLog{
	{"grown", "sealed", 6577, 6577},
	{"grown", "unsealed", 0, 5777},
	{"grown", "uncommitted", 2000, 5777},
	{"grown", "checkpoints", 5777, 5777},
	{"grown", "appended", 10777, 10777},
	{"open", "flushed", 0, 2777},
	{"open", "committed", 2777, 2777},
	{"open", "committed-flushed", 2500, 5601},
	{"open", "displaced", 19000, 19000},
	{"open", "jumped", 52296, 52296},
}

func (g goldenLog) read(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "stream", "testdata", g.folder, g.name+".b2frame"))
	must(t, err)
	return b
}

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

// whole reads a closed file in all possible ways.
func (g goldenLog) whole(t *testing.T, libs []b2test.Library, what string, b, want []byte) {
	t.Helper()
	got, err := content("", b)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes of %d: %v", what, len(got), len(want), err)
	}
	path := filepath.Join(t.TempDir(), "log")
	must(t, os.WriteFile(path, b, 0o666))
	for _, lib := range libs {
		if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: C-Blosc2 %d reads %d bytes of %d: %v", what, lib.Major, len(got), len(want), err)
		}
	}
}
