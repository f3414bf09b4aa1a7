package frame_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Compacting a file with arbitrary contents does not panic. It returns an error, or makes
// a sound frame of the same data. The same holds for joining the file to itself.
func FuzzCompact(f *testing.F) {
	seeds(f)
	for _, sizes := range [][]int{{1000, 20, 300}, {20, 20, 8}, {400, 400, 40}} {
		_, b := various(f, plainParams(), sizes)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		r, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
		if err != nil || r.Size() > 1<<20 {
			return
		}
		want, err := payload(r)
		rep, verr := frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
		sound := err == nil && verr == nil && rep.Frames == 1 && rep.Sound()
		for _, o := range [][]frame.Option{nil, {frame.KeepChunkSizes()}, {frame.ChunkSize(400), frame.AllowLoss()}} {
			var d memory
			if r.Compact(&d, o...) == nil && sound {
				d.check(t, want, len(o) < 2)
			}
			d = nil
			if frame.Concat(&d, []*frame.Reader{r, r}, append(o, frame.WithLimits(tight))...) == nil && sound {
				d.check(t, append(bytes.Clone(want), want...), len(o) < 2)
			}
		}
	})
}

// check checks that the file is a sound frame with as many decoded bytes as want. If same
// is true they must equal want.
func (d *memory) check(t *testing.T, want []byte, same bool) {
	t.Helper()
	got, _, err := readAll(*d, frame.WithLimits(tight))
	if err != nil || len(got) != len(want) || same && !bytes.Equal(got, want) {
		t.Errorf("%d bytes, were %d: %v", len(got), len(want), err)
	}
	rep, err := frame.Verify(bytes.NewReader(*d), int64(len(*d)), frame.WithLimits(tight))
	if err != nil || !rep.Sound() {
		t.Errorf("%+v: %v", rep, err)
	}
}

// A memory is a file in memory.
type memory []byte

func (d *memory) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(*d).ReadAt(p, off)
}

func (d *memory) WriteAt(p []byte, off int64) (int, error) {
	if end := int(off) + len(p); end > len(*d) {
		*d = append(*d, make([]byte, end-len(*d))...)
	}
	return copy((*d)[off:], p), nil
}

func (d *memory) Truncate(size int64) error { *d = (*d)[:size]; return nil }
func (d *memory) Sync() error               { return nil }

// Recutting a frame takes memory for a few chunks, whatever its contents.
func TestRecutMemory(t *testing.T) {
	var sizes []int
	for n := range 400 {
		sizes = append(sizes, 60_000+n*7%10*400)
	}
	_, b := various(t, plainParams(), sizes)
	path := write(t, b)
	before := b2test.Allocated()
	if err := frame.CompactFile(path, frame.ChunkSize(100_000)); err != nil {
		t.Fatal(err)
	}
	if used := b2test.Allocated() - before; used > 4<<20 {
		t.Errorf("%d bytes for a frame of 25 MB", used)
	}
}

// BenchmarkRecut measures Compact with everything recompressed, and with nothing.
func BenchmarkRecut(b *testing.B) {
	var sizes []int
	for range 64 {
		sizes = append(sizes, 1<<20)
	}
	data, file := various(b, plainParams(), sizes)
	f, err := frame.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		b.Fatal(err)
	}
	for name, size := range map[string]int{"all": 1<<20 - 4, "nothing": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			d := make(memory, 0, 2*len(file))
			for b.Loop() {
				d = d[:0]
				if err := f.Compact(&d, frame.ChunkSize(size)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
