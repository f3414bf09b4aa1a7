package ranges_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/fartest"
	"github.com/seed03b80dae/blosc2/ranges"
)

func TestMerge(t *testing.T) {
	for _, tt := range []struct{ in, want []ranges.Span }{
		{nil, nil},
		{[]ranges.Span{{5, 0}}, nil},
		{[]ranges.Span{{20, 5}, {0, 10}}, []ranges.Span{{0, 25}}},
		{[]ranges.Span{{0, 10}, {21, 5}}, []ranges.Span{{0, 10}, {21, 5}}},
		{[]ranges.Span{{0, 100}, {5, 10}, {102, 10}}, []ranges.Span{{0, 100}, {102, 10}}},
		{[]ranges.Span{{0, 10}, {5, 10}, {5, 10}}, []ranges.Span{{0, 15}}},
	} {
		if got := ranges.Merge(slices.Clone(tt.in), 10, 50); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.in, got, tt.want)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 250, 2}, uint8(3), uint8(20))
	f.Fuzz(func(t *testing.T, b []byte, gap, most uint8) {
		var in []ranges.Span
		for ; len(b) > 1; b = b[2:] {
			in = append(in, ranges.Span{Off: int64(b[0]), Len: int64(b[1])})
		}
		out := ranges.Merge(slices.Clone(in), int64(gap), int64(most))
		for _, s := range in {
			if s.Len > 0 && !slices.ContainsFunc(out, func(o ranges.Span) bool { return o.Off <= s.Off && s.End() <= o.End() }) {
				t.Errorf("%v is in none of %v", s, out)
			}
		}
		for i := 1; i < len(out); i++ {
			if out[i].Off < out[i-1].Off {
				t.Errorf("%v are not in order", out)
			}
		}
	})
}

func TestAhead(t *testing.T) {
	data := make([]byte, 1<<20)
	rnd := rand.NewChaCha8([32]byte{3})
	rnd.Read(data)
	src := &fartest.Source{Data: data}
	a := ranges.NewAhead(src)
	check := func(off, n, requests int) {
		t.Helper()
		p := make([]byte, n)
		if _, err := a.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, data[off:off+n]) {
			t.Errorf("%d bytes at %d: other data, or %v", n, off, err)
		}
		if c := src.Take(); c.Requests != requests {
			t.Errorf("%d bytes at %d: %+v, want %d requests", n, off, c, requests)
		}
	}
	one, err := a.Fetch(t.Context(), ranges.Span{Off: 100, Len: 1000}, ranges.Span{Off: 500_000, Len: 10})
	if err != nil {
		t.Fatal(err)
	}
	if c := src.Take(); c.Waves != 1 || c.Requests != 2 || c.Bytes != 1010 {
		t.Errorf("Fetch took %+v", c)
	}
	two, err := a.Fetch(t.Context(), ranges.Span{Off: 200, Len: 100})
	if err != nil {
		t.Fatal(err)
	}
	check(200, 100, 0)
	check(500_001, 9, 0)
	rs := []ranges.Range{{Off: 300, Data: make([]byte, 50)}, {Off: 2000, Data: make([]byte, 60)}, {Off: 1050, Data: make([]byte, 70)}}
	if err := a.ReadRanges(t.Context(), rs); err != nil {
		t.Error(err)
	}
	for _, r := range rs {
		if !bytes.Equal(r.Data, data[r.Off:][:len(r.Data)]) {
			t.Errorf("other bytes at %d", r.Off)
		}
	}
	if c := src.Take(); c.Waves != 1 || c.Requests != 2 {
		t.Errorf("ReadRanges took %+v", c)
	}
	check(0, 200, 1)
	check(1000, 200, 1)
	one.Release()
	one.Release()
	check(200, 100, 0) // two fetches hold these bytes
	check(500_001, 9, 1)
	two.Keep()
	two.Release()
	check(200, 100, 0)
	if _, err := a.Fetch(t.Context(), ranges.Span{Off: 1<<20 - 1, Len: 2}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("beyond the end: %v", err)
	}
	if n, err := a.ReadAt(make([]byte, 10), 1<<20-5); n != 5 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 100 {
				off := (i*7919 + k*104729) % (1<<20 - 5000)
				held, err := a.Fetch(t.Context(), ranges.Span{Off: int64(off), Len: 5000})
				p := make([]byte, 4000)
				if _, e := a.ReadAt(p, int64(off+500)); err != nil || e != nil || !bytes.Equal(p, data[off+500:off+4500]) {
					t.Error("other data, or", err, e)
				}
				if k%3 == 0 {
					held.Keep()
				}
				held.Release()
			}
		})
	}
	group.Wait()
}

func TestSection(t *testing.T) {
	data := []byte("0123456789")
	src := &fartest.Source{Data: data}
	s, ok := ranges.Of(io.NewSectionReader(io.NewSectionReader(src, 1, 8), 2, 4))
	if !ok {
		t.Fatal("a section of a source is none")
	}
	p := make([]byte, 3)
	if err := s.ReadRanges(t.Context(), []ranges.Range{{Off: 1, Data: p}}); err != nil || string(p) != "456" {
		t.Errorf("%q, %v", p, err)
	}
	for _, off := range []int64{-1, 2} {
		if err := s.ReadRanges(t.Context(), []ranges.Range{{Off: off, Data: p}}); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("at %d: %v", off, err)
		}
	}
	if _, ok := ranges.Of(bytes.NewReader(data)); ok {
		t.Error("memory is far away")
	}
}

func TestSequential(t *testing.T) {
	data := make([]byte, 20<<20)
	rnd := rand.NewChaCha8([32]byte{4})
	rnd.Read(data)
	src := &fartest.Source{Data: data}
	s := ranges.NewSequential(t.Context(), src, int64(len(data)))
	defer s.Close()
	got, err := io.ReadAll(io.NewSectionReader(s, 0, int64(len(data))))
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if c := src.Take(); c.Requests > 12 || c.Bytes != int64(len(data)) {
		t.Errorf("took %+v", c)
	}
	for _, off := range []int64{10, 15 << 20, 20<<20 - 3} {
		p := make([]byte, 10)
		n, err := s.ReadAt(p, off)
		if want := data[off:min(off+10, int64(len(data)))]; !bytes.Equal(p[:n], want) || (err == io.EOF) != (n < 10) {
			t.Errorf("at %d: %x, %v", off, p[:n], err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	c := ranges.NewSequential(ctx, src, int64(len(data)))
	defer c.Close()
	if _, err := c.ReadAt(make([]byte, 1), 0); err != gone {
		t.Errorf("cancelled: %v", err)
	}
}
