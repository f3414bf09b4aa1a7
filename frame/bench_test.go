package frame_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// benchFrame returns a checked frame of real data in chunks of 1 MiB.
func benchFrame(b *testing.B) []byte {
	one := b2test.Real(b, "era5-t2m.f4")
	p := chunk.Default()
	p.TypeSize, p.PlainZeros = 4, true
	m := newMakerOf(b, p, 1<<20, building{Checks: true})
	data := bytes.Repeat(one, 1+(16<<20)/len(one))[:16<<20]
	for _, c := range cut(data, 1<<20) {
		m.chunk(c)
	}
	m.tail()
	return m.sealed()
}

// BenchmarkWalker finds chunks without decoding them.
func BenchmarkWalker(b *testing.B) {
	f := benchFrame(b)
	b.SetBytes(int64(len(f)))
	b.ReportAllocs()
	var buf []byte
	r := bytes.NewReader(nil)
	for b.Loop() {
		r.Reset(f)
		w := frame.NewWalker(r)
		for {
			it, err := w.Next(buf)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			buf = it.Chunk[:0]
		}
	}
}

// BenchmarkCursor finds chunks by the index.
func BenchmarkCursor(b *testing.B) {
	f := benchFrame(b)
	r, err := frame.Open(bytes.NewReader(f), int64(len(f)))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(f)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		c := r.Cursor(0)
		for {
			it, err := c.Next(buf)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			buf = it.Chunk[:0]
		}
	}
}

// BenchmarkReadAt reads 4 KiB at offsets all over the frame.
func BenchmarkReadAt(b *testing.B) {
	f := benchFrame(b)
	r, err := frame.Open(bytes.NewReader(f), int64(len(f)))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(4096)
	b.ReportAllocs()
	p := make([]byte, 4096)
	for i := int64(0); b.Loop(); i++ {
		if _, err := r.ReadAt(p, i*1_234_567%(r.Size()-4096)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerify compares the time for checking all chunks with that for decoding them.
func BenchmarkVerify(b *testing.B) {
	f := benchFrame(b)
	b.SetBytes(16 << 20)
	for b.Loop() {
		if rep, err := frame.Verify(bytes.NewReader(f), int64(len(f))); err != nil || !rep.Sound() {
			b.Fatal(rep, err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	f := benchFrame(b)
	r, err := frame.Open(bytes.NewReader(f), int64(len(f)))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(16 << 20)
	p := make([]byte, r.Size())
	for b.Loop() {
		if _, err := r.ReadAt(p, 0); err != nil {
			b.Fatal(err)
		}
	}
}
