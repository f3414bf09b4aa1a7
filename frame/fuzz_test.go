package frame_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Walking a source with arbitrary contents ends, with an error of a known kind. Every
// chunk that it returns decodes to as many bytes as it says, or to an error.
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
				known(t, err)
				_, err := w.VLMeta()
				known(t, err)
				return
			}
			known(t, it.Verify())
			framing.SetUp(&d, it.Header, tight.Chunk)
			if out, err = d.Decode(out[:0], it.Chunk); err == nil && len(out) != it.NBytes {
				t.Errorf("chunk %d: %d bytes, said to have %d", it.N, len(out), it.NBytes)
			}
			known(t, err)
			buf = it.Chunk[:0]
		}
	})
}

// A file with arbitrary contents can be read, or the error is of a known kind. All ways to
// read it return the same data.
func FuzzOpen(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		r, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight), frame.AllowTorn())
		if err != nil {
			known(t, err)
			return
		}
		_, vlErr := r.VLMetalayers()
		known(t, vlErr)
		if r.NumChunks() > 1000 || r.Size() > 4<<20 {
			return
		}
		whole, wholeErr := payload(r)
		known(t, wholeErr)
		if wholeErr == nil && int64(len(whole)) != r.Size() {
			t.Errorf("%d bytes in a frame of %d", len(whole), r.Size())
		}
		p := make([]byte, 100)
		for off := int64(0); off < r.Size(); off += r.Size()/5 + 1 {
			n, err := r.ReadAt(p, off)
			if have := whole[min(off, int64(len(whole))):]; err == nil && len(have) >= n && !bytes.Equal(p[:n], have[:n]) {
				t.Errorf("%d bytes at %d are not those of the chunk", n, off)
			}
			atEnd := err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) // of a torn frame, see AllowTorn
			if wholeErr == nil && err != nil && !(atEnd && off+int64(n) == r.Size()) {
				t.Errorf("%d bytes at %d of a good frame: %v", len(p), off, err)
			}
		}
		var items []byte
		var d chunk.Decoder
		c := r.Cursor(0)
		for range r.NumChunks() {
			var it frame.Item
			if it, err = c.Next(nil); err != nil {
				break
			}
			if err = it.Verify(); err != nil {
				break
			}
			framing.SetUp(&d, it.Header, tight.Chunk)
			if items, err = d.Decode(items, it.Chunk); err != nil {
				break
			}
		}
		known(t, err)
		if (err == nil) != (wholeErr == nil) || err == nil && !bytes.Equal(items, whole) {
			t.Errorf("%d bytes of items, %v, but %d of chunks, %v", len(items), err, len(whole), wholeErr)
		}
	})
}

// Repairing arbitrary bytes makes a sound frame or returns an error of a known kind. The
// contents of metalayers are kept, valid or not. The result names the invalid vlmetalayers.
func FuzzRepair(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		d := new(memoryFile)
		opts := []frame.Option{frame.WithLimits(tight), frame.RecoverTail()}
		if len(b)%2 == 0 {
			opts = append(opts, frame.GuessOrder())
		}
		rep, err := frame.Repair(d, bytes.NewReader(b), int64(len(b)), opts...)
		if err != nil || rep.NBytes > 4<<20 {
			known(t, err)
			return
		}
		got, r, err := readAll(d.b)
		if err != nil || int64(len(got)) != rep.NBytes || r.NumChunks() != rep.Chunks {
			t.Errorf("repaired to %d bytes of %d: %v", len(got), rep.NBytes, err)
		}
		checked, err := frame.Verify(bytes.NewReader(d.b), int64(len(d.b)), frame.WithLimits(tight))
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range checked.Faults {
			var fe *blosc2.FormatError
			errors.As(fault.Err, &fe)
			named := fe != nil && fe.Part == blosc2.PartVLMeta && (errors.Is(fe, blosc2.ErrTooLarge) || slices.ContainsFunc(rep.Corrupt, func(name string) bool {
				return strings.Contains(fe.Msg, strconv.Quote(name))
			}))
			if !named && (fe == nil || fe.Part != blosc2.PartMeta) {
				t.Errorf("repaired, and then: %v", fault.Err)
			}
		}
	})
}
