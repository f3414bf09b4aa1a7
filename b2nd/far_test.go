package b2nd_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/fartest"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/stream"
)

// farArray returns the frame of an array of 2000 x 1024 float32, 100 chunks of
// 80 KiB in 5 blocks.
func farArray(t testing.TB) (file, data []byte) {
	t.Helper()
	data = make([]byte, 2000*1024*4)
	rnd := rand.NewChaCha8([32]byte{2})
	rnd.Read(data)
	spec := b2nd.Spec{Shape: []int64{2000, 1024}, DType: "<f4", ChunkShape: []int64{20, 1024}, BlockShape: []int64{4, 1024}}
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, spec, stream.Spool(1<<30))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), data
}

func TestFarWindow(t *testing.T) {
	file, data := farArray(t)
	src := &fartest.Source{Data: file}
	a, err := b2nd.Open(src, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if c := src.Take(); c.Requests > 2 || c.Bytes > 128<<10 {
		t.Errorf("Open took %+v", c)
	}
	for _, tt := range []struct {
		name     string
		w        b2nd.Window
		waves    int
		requests int
		bytes    int64
	}{
		{"an item", b2nd.Window{{Start: 1111, Stop: 1112}, {Start: 5, Stop: 6}}, 2, 2, 17 << 10},
		{"the same block", b2nd.Window{{Start: 1108, Stop: 1110}, {Start: 50, Stop: 60}}, 0, 0, 0},
		{"a column", b2nd.Window{{Start: 0, Stop: 2000, Step: 20}, {Start: 7, Stop: 8}}, 2, 4, int64(len(file)) + 8<<10},
		{"the column again, its blocks", b2nd.Window{{Start: 0, Stop: 2000, Step: 20}, {Start: 8, Stop: 9}}, 0, 0, 0},
		{"a chunk", b2nd.Window{{Start: 40, Stop: 60}, {Start: 0, Stop: 1024}}, 1, 1, 82 << 10},
		{"all", b2nd.All(a.Shape()), 6, 8, int64(len(file)) + 8<<10},
	} {
		n := int64(4)
		for _, s := range tt.w {
			n *= s.Len()
		}
		got := make([]byte, n)
		if err := a.ReadWindow(got, tt.w); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if want := window(data, tt.w); !bytes.Equal(got, want) {
			t.Errorf("%s: other items", tt.name)
		}
		c := src.Take()
		t.Logf("%s: %+v", tt.name, c)
		if c.Waves > tt.waves || c.Requests > tt.requests || c.Bytes > tt.bytes {
			t.Errorf("%s took %+v, want at most %d waves, %d requests, %d bytes", tt.name, c, tt.waves, tt.requests, tt.bytes)
		}
	}
	for c, err := range a.Chunks(nil) {
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(c.Items, window(data, c.Window)) {
			t.Fatalf("chunk %v has other items", c.Index)
		}
	}
	if c := src.Take(); c.Waves > 6 || c.Bytes > int64(len(file)) {
		t.Errorf("Chunks took %+v", c)
	}
	away := errors.New("away")
	src.Fail(away)
	if _, err := a.ReadAll(); !errors.Is(err, away) {
		t.Errorf("ReadAll: %v", err)
	}
	for _, err := range a.Chunks(nil) {
		if !errors.Is(err, away) {
			t.Errorf("Chunks: %v", err)
		}
	}
}

// The cost of requests is compared with that of bytes: many chunks are read whole if the
// rest of each costs less than another request, but not if all requests can be made at
// once. The first block of a chunk is read together with its header.
func TestFarCost(t *testing.T) {
	file, data := farArray(t)
	column := func(block int64) b2nd.Window {
		return b2nd.Window{{Start: 4 * block, Stop: 2000, Step: 20}, {Start: 7, Stop: 8}}
	}
	for _, tt := range []struct {
		name     string
		cost     ranges.Cost
		w        b2nd.Window
		waves    int
		requests int
		bytes    int64
	}{
		{"as few bytes as can be", ranges.Cost{AtOnce: 10}, column(2), 2, 200, 100 * 17 << 10},
		{"the first blocks", ranges.Cost{AtOnce: 10}, column(0), 1, 100, 100 * 21 << 10},
		{"requests cost little", ranges.Cost{AtOnce: 10, Request: 30 << 10}, column(2), 2, 200, 100 * 17 << 10},
		{"as many at once", ranges.Cost{AtOnce: 100, Request: 1 << 20}, column(2), 4, 200, 100 * 17 << 10},
		{"requests cost much", ranges.Cost{AtOnce: 10, Request: 70 << 10}, column(2), 2, 4, int64(len(file))},
		{"every other chunk, requests cost much", ranges.Cost{AtOnce: 10, Request: 70 << 10}, b2nd.Window{{Start: 8, Stop: 2000, Step: 40}, {Start: 7, Stop: 8}}, 2, 50, 50 * 81 << 10},
		{"an item of the first block", ranges.DefaultCost(), b2nd.Window{{Start: 40, Stop: 41}, {Start: 5, Stop: 6}}, 1, 1, 21 << 10},
		{"an item of the last block", ranges.DefaultCost(), b2nd.Window{{Start: 59, Stop: 60}, {Start: 5, Stop: 6}}, 2, 2, 17 << 10},
	} {
		src := &fartest.Source{Data: file, Price: tt.cost}
		a, err := b2nd.Open(src, int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		src.Take()
		n := int64(4)
		for _, s := range tt.w {
			n *= s.Len()
		}
		got := make([]byte, n)
		if err := a.ReadWindow(got, tt.w); err != nil || !bytes.Equal(got, window(data, tt.w)) {
			t.Errorf("%s: other items, or %v", tt.name, err)
		}
		c := src.Take()
		t.Logf("%s: %+v", tt.name, c)
		if c.Waves > tt.waves || c.Requests > tt.requests || c.Bytes > tt.bytes {
			t.Errorf("%s took %+v, want at most %d waves, %d requests, %d bytes", tt.name, c, tt.waves, tt.requests, tt.bytes)
		}
	}
}

// window picks the items of w from data of 1024 columns of 4 bytes.
func window(data []byte, w b2nd.Window) (items []byte) {
	for y := w[0].Start; y < w[0].Stop; y += max(w[0].Step, 1) {
		for x := w[1].Start; x < w[1].Stop; x += max(w[1].Step, 1) {
			at := (y*1024 + x) * 4
			items = append(items, data[at:at+4]...)
		}
	}
	return items
}

// A chunk is fetched once if workers share its blocks.
func TestFarSharedChunk(t *testing.T) {
	data := make([]byte, 4<<20)
	rnd := rand.NewChaCha8([32]byte{3})
	rnd.Read(data)
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, b2nd.Spec{Shape: []int64{1 << 20}, DType: "<f4", ChunkShape: []int64{1 << 18}, BlockShape: []int64{1 << 13}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	src := &fartest.Source{Data: buf.Bytes()}
	a, err := b2nd.Open(src, int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	src.Take()
	got := make([]byte, 1<<20)
	if err := a.ReadWindow(got, b2nd.Window{{Start: 1 << 18, Stop: 1 << 19}}); err != nil || !bytes.Equal(got, data[1<<20:2<<20]) {
		t.Fatal("other items", err)
	}
	if c := src.Take(); c.Requests > 1 || c.Bytes > 1<<20+8<<10 {
		t.Errorf("%+v", c)
	}
}
