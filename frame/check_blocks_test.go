package frame_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Verify counts the chunks of an array whose blocks are not those of the array. They are no
// faults, because they can be read.
func TestOtherBlocks(t *testing.T) {
	desc := meta.B2ND{Shape: []int64{3000}, ChunkShape: []int32{1000}, BlockShape: []int32{250}, DType: "<i4"}
	value, err := desc.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 12000)
	for i := range data {
		data[i] = byte(i * i)
	}
	for _, c := range []struct {
		blocks int
		layers []stream.WriterOption
		want   int64
	}{
		{1000, []stream.WriterOption{stream.Metalayer(meta.B2NDName, value)}, 0},
		{2000, []stream.WriterOption{stream.Metalayer(meta.B2NDName, value)}, 3},
		{2000, nil, 0},
	} {
		var file bytes.Buffer
		w, err := stream.NewWriter(&file, append(c.layers, stream.TypeSize(4), stream.ChunkSize(4000), stream.BlockSize(c.blocks))...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for workers := range 3 {
			if rep := verify(t, file.Bytes(), workers); rep.OtherBlocks != c.want || !rep.Sound() {
				t.Errorf("blocks of %d bytes, %d workers: %d chunks with other blocks, %v; want %d", c.blocks, workers, rep.OtherBlocks, rep.Faults, c.want)
			}
		}
	}
}
