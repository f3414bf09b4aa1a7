package frame_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Walking a source with arbitrary contents does not panic. It ends, and every chunk that
// it returns decodes or returns an error.
func FuzzWalker(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		w := frame.NewWalker(bytes.NewReader(b), frame.WithLimits(tight))
		var d chunk.Decoder
		var buf, out []byte
		for range 1000 {
			it, err := w.Next(buf)
			if err != nil {
				w.VLMeta()
				return
			}
			it.Verify()
			framing.SetUp(&d, it.Header, tight.Chunk)
			if out, err = d.Decode(out[:0], it.Chunk); err == nil && len(out) != it.NBytes {
				t.Errorf("chunk %d: %d bytes, said to have %d", it.N, len(out), it.NBytes)
			}
			buf = it.Chunk[:0]
		}
	})
}

// Opening and reading a file with arbitrary contents does not panic. All ways to read it
// return the same data.
func FuzzOpen(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		r, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight), frame.AllowTorn())
		if err != nil {
			return
		}
		r.VLMetalayers()
		if r.NumChunks() > 1000 || r.Size() > 4<<20 {
			return
		}
		var whole []byte
		for n := range r.NumChunks() {
			if whole, err = r.Chunk(whole, n); err != nil {
				break
			}
		}
		p := make([]byte, 100)
		for off := int64(0); off < r.Size(); off += r.Size()/5 + 1 {
			n, err := r.ReadAt(p, off)
			if have := whole[min(off, int64(len(whole))):]; err == nil && len(have) >= n && !bytes.Equal(p[:n], have[:n]) {
				t.Errorf("%d bytes at %d are not those of the chunk", n, off)
			}
		}
		c := r.Cursor(0)
		for range 1000 {
			if _, err := c.Next(nil); err != nil {
				break
			}
		}
	})
}

// Repairing arbitrary bytes makes a sound frame or returns an error.
func FuzzRepair(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		d := newDisk(nil, -1)
		opts := []frame.Option{frame.WithLimits(tight), frame.RecoverTail()}
		if len(b)%2 == 0 {
			opts = append(opts, frame.GuessOrder())
		}
		rep, err := frame.Repair(d, bytes.NewReader(b), int64(len(b)), opts...)
		if err != nil || rep.NBytes > 4<<20 {
			return
		}
		got, r, err := readAll(d.now)
		if err != nil || int64(len(got)) != rep.NBytes || r.NumChunks() != rep.Chunks {
			t.Errorf("repaired to %d bytes of %d: %v", len(got), rep.NBytes, err)
		}
	})
}
