package stream_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A log that has grown since its size was taken is opened, refreshed and verified in its
// current state, although its header may be newer than the size.
func TestGrownSinceStat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(4096), stream.TypeSize(4))
	must(t, err)
	defer w.Abort(nil)
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	write := func(n int) {
		_, err := w.Write(make([]byte, n))
		must(t, err)
		must(t, w.Checkpoint())
	}
	write(1000)
	info, err := file.Stat()
	must(t, err)
	size := info.Size()
	was, err := frame.Open(file, size, frame.AllowTorn())
	must(t, err)
	for range 20 {
		write(30_000)
	}
	for name, open := range map[string]func() (*frame.Reader, error){
		"open":    func() (*frame.Reader, error) { return frame.Open(file, size, frame.AllowTorn()) },
		"refresh": func() (*frame.Reader, error) { return was.Refresh(size) },
	} {
		f, err := open()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if f.Size() != 601_000 {
			t.Errorf("%s: %d bytes, want 601000", name, f.Size())
		}
	}
	rep, err := was.Verify() // the open chunk that it knows has been finished since
	must(t, err)
	if !rep.Sound() {
		t.Errorf("verify of the older Reader: %+v", rep)
	}
	rep, err = frame.Verify(file, size)
	must(t, err)
	if !rep.Sound() || rep.NBytes != 601_000 {
		t.Errorf("verify: %+v", rep)
	}
}
