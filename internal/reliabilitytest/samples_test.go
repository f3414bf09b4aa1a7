package reliabilitytest

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A sample is a frame and its contents.
type sample struct {
	name   string
	b      []byte
	want   []byte
	layers []meta.Layer // metalayers of the intact frame
	vl     []meta.Layer
	array  bool
	holes  []bool // whether each byte of an edited frame is no longer part of it
}

// sampleOf records the contents of a frame.
func sampleOf(t testing.TB, name string, b, want []byte) sample {
	t.Helper()
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	s := sample{name: name, b: b, want: want, layers: f.Metalayers()}
	s.vl, err = f.VLMetalayers()
	must(t, err)
	_, s.array = f.Metalayer("b2nd")
	return s
}

// common holds options that make small frames with parts of all kinds.
func common(opts ...stream.WriterOption) []stream.WriterOption {
	return append([]stream.WriterOption{stream.ChunkSize(400), stream.TypeSize(4), stream.Workers(1),
		stream.Metalayer("mine", []byte("a metalayer"))}, opts...)
}

// written makes a frame of a few chunks in a file, with flushes, checkpoints and
// continuations if segments is set, and returns it sealed.
func written(t testing.TB, want []byte, segments bool, opts ...stream.WriterOption) []byte {
	t.Helper()
	d := newDisk(nil)
	w, err := stream.NewWriter(d, common(opts...)...)
	must(t, err)
	for i, at := range []int{300, 900, len(want)} {
		_, err := w.Write(want[w.Stats().Bytes:at])
		must(t, err)
		if segments && i == 0 {
			must(t, w.Flush())
		}
		if segments && i == 1 {
			must(t, w.SetVLMeta("early", []byte("said before the end")))
			must(t, w.Checkpoint())
		}
	}
	must(t, w.SetVLMeta("note", bytes.Repeat([]byte("hello "), 10)))
	must(t, w.Close())
	return d.b
}

// appended continues a frame in its file.
func appended(t testing.TB, b, more []byte) []byte {
	t.Helper()
	d := newDisk(b)
	w, err := stream.Append(d, int64(len(b)), stream.Workers(1))
	must(t, err)
	_, err = w.Write(more)
	must(t, err)
	must(t, w.Close())
	return d.b
}

// edited inserts, deletes and updates chunks.
func edited(t testing.TB, b []byte, want []byte) (after, holds []byte) {
	t.Helper()
	d := newDisk(b)
	e, err := frame.Edit(d, int64(len(b)))
	must(t, err)
	a, c := pattern(7000, 400), pattern(9000, 400)
	must(t, e.Insert(1, a))
	must(t, e.Update(0, c))
	must(t, e.Delete(2))
	must(t, e.Commit())
	return d.b, bytes.Join([][]byte{c, a, want[800:]}, nil)
}

// unsealed returns a frame as read from a pipe.
func unsealed(t testing.TB, want []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := stream.NewWriter(struct{ io.Writer }{&out}, common(opts...)...)
	must(t, err)
	must(t, w.Flush()) // this writes the header, so that the frame can no longer be sealed
	_, err = w.Write(want)
	must(t, err)
	must(t, w.SetVLMeta("note", bytes.Repeat([]byte("hello "), 10)))
	must(t, w.Close())
	if w.Sealed() {
		t.Fatal("the frame is sealed")
	}
	return out.Bytes()
}

// array makes an array of 12 × 10 items.
func array(t testing.TB, opts ...stream.WriterOption) (b, want []byte) {
	t.Helper()
	want = pattern(0, 12*10*4)
	d := newDisk(nil)
	w, err := b2nd.NewWriter(d, b2nd.Spec{Shape: []int64{12, 10}, DType: "<f4", ChunkShape: []int64{5, 6}, BlockShape: []int64{2, 3}}, opts...)
	must(t, err)
	_, err = w.Write(want)
	must(t, err)
	must(t, w.Close())
	return d.b, want
}

// samples returns frames of every kind, with digests or without.
func samples(t testing.TB, checks bool) (all []sample) {
	t.Helper()
	want := pattern(0, 1500)
	constant := append(make([]byte, 800), bytes.Repeat([]byte{1, 2, 3, 4}, 150)...)
	add := func(name string, b, want []byte) { all = append(all, sampleOf(t, name, b, want)) }
	on := stream.Checks(checks)
	lz4 := written(t, want, true, on)
	add("lz4 in several segments", lz4, want)
	add("lz4 after an append", appended(t, lz4, pattern(1500, 600)), pattern(0, 2100))
	changed, holds := edited(t, lz4, want)
	add("lz4 after edits", changed, holds)
	all[len(all)-1].holes = holes(t, changed)
	add("lz4 unsealed", unsealed(t, want, on), want)
	add("zstd", written(t, want, false, on, stream.Codec(blosc2.CodecZstd)), want)
	add("zstd unsealed", unsealed(t, want, on, stream.Codec(blosc2.CodecZstd)), want)
	add("blosclz, variable chunks", written(t, want, true, on, stream.Codec(blosc2.CodecBloscLZ), stream.VariableChunks()), want)
	add("constant", written(t, constant, false, on), constant)
	add("zeros", written(t, make([]byte, 1500), true, on), make([]byte, 1500))
	b, _ := array(t, on)
	add("array", b, chunkwise(t, b))
	return all
}

// chunkwise returns the decoded bytes of all chunks of a frame.
func chunkwise(t testing.TB, b []byte) (data []byte) {
	t.Helper()
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	for n := range f.NumChunks() {
		data, err = f.Chunk(data, n)
		must(t, err)
	}
	return data
}

// holes reports, for each byte of a frame, whether it is unused: not in a chunk of
// the index or its record, and not before or after the chunks.
func holes(t testing.TB, b []byte) []bool {
	t.Helper()
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	hole := slices.Repeat([]bool{true}, len(b))
	const endMark = 32
	start := int64(len(f.RawHeader()))
	clear(hole[:start+framing.RecordLen])
	clear(hole[start+f.Header().CBytes-endMark : f.FrameLen()])
	for n := int64(0); ; n++ {
		it, err := f.Item(nil, n)
		if err == io.EOF {
			return hole
		}
		must(t, err)
		clear(hole[it.Offset : it.Offset+int64(len(it.Chunk))+framing.RecordLen])
	}
}
