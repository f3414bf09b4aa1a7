package frame_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A swapped is a file that is replaced by another state of itself after some reads.
type swapped struct {
	was, now *os.File
	left     int
}

func (s *swapped) current() *os.File {
	if s.left <= 0 {
		return s.now
	}
	return s.was
}

func (s *swapped) ReadAt(p []byte, off int64) (int, error) {
	s.left--
	return s.current().ReadAt(p, off)
}

func (s *swapped) Stat() (fs.FileInfo, error) { return s.current().Stat() }

// A frame is sound even if a writer continues it while it is checked, whenever that happens.
func TestVerifyChanged(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	data := ramp(9000)
	states := []int{0, 2500, 4300, 9000} // bytes in the frame
	open := func(n int) *os.File {
		f, err := os.Open(filepath.Join(dir, fmt.Sprint(n)))
		must(err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	path := filepath.Join(dir, "growing")
	for i, n := range states[1:] {
		w, err := stream.AppendFile(path, stream.ChunkSize(1000), stream.Workers(1), stream.Codec([]blosc2.CodecID{blosc2.CodecZstd, blosc2.CodecLZ4}[i%2]))
		must(err)
		_, err = w.Write(data[states[i]:n])
		must(errors.Join(err, w.Close()))
		b, err := os.ReadFile(path)
		must(err)
		must(os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), b, 0o666))
	}
	was := open(2500)
	info, err := was.Stat()
	must(err)
	for _, n := range states[2:] {
		now := open(n)
		for reads, more := 1, true; more; reads++ {
			src := &swapped{was, now, reads}
			rep, err := frame.Verify(src, info.Size())
			must(err)
			if more = src.left <= 0; !rep.Sound() {
				t.Errorf("%d bytes after %d reads: %v", n, reads, rep.Err())
			}
		}
	}
}
