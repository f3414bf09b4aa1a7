package b2nd

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// A countingAt counts reads, as a remote source would charge for them.
type countingAt struct {
	r     io.ReaderAt
	reads []int // length of each read
}

func (c *countingAt) ReadAt(p []byte, off int64) (int, error) {
	c.reads = append(c.reads, len(p))
	return c.r.ReadAt(p, off)
}

func (c *countingAt) bytes() (sum int) {
	for _, n := range c.reads {
		sum += n
	}
	return sum
}

// One block out of ten thousand chunks costs one read of its chunk's beginning and
// one of the block; the index was read once, by Open. Adjacent blocks are fetched
// together.
func TestFewReads(t *testing.T) {
	var buf bytes.Buffer
	spec := Spec{Shape: []int64{20000, 512}, DType: "<f4", ChunkShape: []int64{2, 512}, BlockShape: []int64{1, 64}}
	w, err := NewWriter(&buf, spec, stream.Spool(1<<30), stream.Level(5))
	if err != nil {
		t.Fatal(err)
	}
	row := make([]byte, 512*4)
	for i := range 20000 {
		for j := range row {
			row[j] = byte(i*j>>(j%4)) ^ byte(j*j>>3) // so that it is not compressed to nothing
		}
		if _, err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	src := &countingAt{r: bytes.NewReader(buf.Bytes())}
	a, err := Open(src, int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n := a.Frame().NumChunks(); n != 10000 {
		t.Fatalf("%d chunks", n)
	}
	t.Logf("open: %d reads of %d bytes, of a file of %d", len(src.reads), src.bytes(), buf.Len())
	if index := slices.Max(src.reads); index > 10000*8+100 || src.bytes()-index > 4096 {
		t.Errorf("Open made reads of %v bytes, not the index once and little else", src.reads)
	}

	src.reads = nil
	got := make([]byte, 64*4)
	if err := a.ReadSlice(got, []int64{13579, 128}, []int64{13580, 192}); err != nil {
		t.Fatal(err)
	}
	for j := range row {
		row[j] = byte(13579*j>>(j%4)) ^ byte(j*j>>3)
	}
	if !bytes.Equal(got, row[128*4:192*4]) {
		t.Error("other items")
	}
	t.Logf("a block: reads of %v bytes", src.reads)
	if len(src.reads) > 2 || src.bytes() > 512 {
		t.Errorf("one block of 256 bytes took %d reads of %d bytes", len(src.reads), src.bytes())
	}

	src.reads = nil
	whole := make([]byte, 2*512*4)
	if err := a.ReadSlice(whole, []int64{13578, 0}, []int64{13580, 512}); err != nil {
		t.Fatal(err)
	}
	t.Logf("a chunk: reads of %v bytes", src.reads)
	if len(src.reads) > 2 {
		t.Errorf("the blocks of one chunk took %d reads", len(src.reads))
	}
}

func TestTyped(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, Spec{Shape: []int64{2, 3}, DType: ">i2"})
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte{0, 1, 0, 2, 0, 3, 1, 0, 0xff, 0xff, 0, 6})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	items, err := Read[int16](a, nil)
	if err != nil || fmt.Sprint(items) != "[1 2 3 256 -1 6]" {
		t.Errorf("%v, %v", items, err)
	}
	if v, err := At[int16](a, 1, 1); err != nil || v != -1 {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := Read[int32](a, nil); err == nil {
		t.Error("int16 was read as int32")
	}
	if _, err := Read[uint16](a, nil); err == nil {
		t.Error("int16 was read as uint16")
	}
	if _, err := At[int16](a, 1, 3); err == nil {
		t.Error("an item beyond the array was read")
	}
}
