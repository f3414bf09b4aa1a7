package reliabilitytest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
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

const growingRow = 7 * 4 // bytes of a row

// held and more are the numbers of bytes in a frame before and after it is
// extended.
const held, more = 1100, 1500

// growing describes an array whose number of rows is unknown at the beginning.
var growing = b2nd.Spec{Shape: []int64{b2nd.Unknown, 7}, DType: "<i4", ChunkShape: []int64{10, 4}, BlockShape: []int64{5, 2}}

// editArray changes the array of the samples in all possible ways.
func editArray(e *b2nd.Editor) error {
	if err := e.SetSlice(pattern(5000, 3*4*4), []int64{1, 2}, []int64{4, 6}); err != nil {
		return err
	}
	if err := errors.Join(e.Append(0, pattern(6000, 2*10*4)), e.Resize([]int64{13, 11})); err != nil {
		return err
	}
	return e.Commit()
}

// sealedFrame makes a frame to be extended.
func sealedFrame(t testing.TB) []byte { return written(t, pattern(0, held), true) }

// flips calls f with a copy of the sample for each bit, in which that bit is flipped,
// and returns the number of calls. In the short form it flips only some of the bits. A
// panic fails the test.
func flips(t *testing.T, s sample, stride int, f func(b []byte, bit int)) (tried int64) {
	t.Helper()
	bits := 8 * len(s.b)
	spread((bits+stride-1)/stride, func(i int) {
		bit := min(i*stride+i%stride, bits-1)
		b := bytes.Clone(s.b)
		b[bit/8] ^= 1 << (bit % 8)
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: bit %d of byte %d: panic: %v", s.name, bit%8, bit/8, p)
			}
		}()
		atomic.AddInt64(&tried, 1)
		f(b, bit)
	})
	return tried
}

// tight holds the limits for reading damaged frames: 16 MiB.
var tight = frame.Limits{Chunk: 16 << 20, Header: 16 << 20, Index: 16 << 20, Trailer: 16 << 20}

// squares returns the first n bytes of i*i/3 for i = 0, 1, 2 …, as little-endian
// uint64. All golden logs hold a prefix of these.
func squares(n int) []byte {
	b := make([]byte, 0, n+8)
	for i := uint64(0); len(b) < n; i++ {
		b = binary.LittleEndian.AppendUint64(b, i*i/3)
	}
	return b[:n]
}

// isDisplaced reports whether the last chunk of a log is displaced: see
// chunkLog.displace of package frame.
func isDisplaced(b []byte) bool {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.DropTail())
	if err != nil || !f.Open() || f.NumChunks() == 0 {
		return false
	}
	n := f.NumChunks() - 1
	it, err := f.Item(nil, n)
	if err != nil || it.Offset < framing.RecordLen {
		return false
	}
	at := it.Offset - framing.RecordLen
	mark := binary.LittleEndian.AppendUint64(nil, uint64(at))
	mark = binary.LittleEndian.AppendUint64(mark, uint64(^n))
	rec := b[at:it.Offset]
	return string(rec[:5]) == "B2CK\x04" && binary.LittleEndian.Uint64(rec[8:]) == framing.Digest(mark)
}

// goldenLogs holds logs of the version that rewrote short chunks as they grew
// (grown), and of the first one with open chunks (open).
var goldenLogs = []goldenLog{
	{"grown", "sealed", 6577, 6577},
	{"grown", "unsealed", 0, 5777},
	{"grown", "uncommitted", 2000, 5777},
	{"grown", "checkpoints", 5777, 5777},
	{"grown", "appended", 10777, 10777},
	{"open", "flushed", 0, 2777},
	{"open", "committed", 2777, 2777},
	{"open", "committed-flushed", 2500, 5601},
	{"open", "displaced", 19000, 19000},
	{"open", "jumped", 52296, 52296},
}

func folderOf(t testing.TB, e b2test.Entry) fstest.MapFS {
	files := fstest.MapFS{}
	entries, err := os.ReadDir(e.File())
	must(t, err)
	for _, entry := range entries {
		b, err := os.ReadFile(filepath.Join(e.File(), entry.Name()))
		must(t, err)
		files[entry.Name()] = &fstest.MapFile{Data: b}
	}
	return files
}

func readFolder(files fstest.MapFS) (data []byte, err error) {
	f, err := frame.OpenFS(files, frame.WithLimits(tight))
	if err != nil {
		return nil, err
	}
	for n := range f.NumChunks() {
		if data, err = f.Chunk(data, n); err != nil || len(data) > 32<<20 {
			return data, err
		}
	}
	return data, nil
}

// A goldenLog is a file written by an earlier version. It holds a prefix of squares:
// committed and flushed are the numbers of bytes that had been committed and flushed.
type goldenLog struct {
	folder, name       string
	committed, flushed int
}

func (g goldenLog) read(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "stream", "testdata", g.folder, g.name+".b2frame"))
	must(t, err)
	return b
}

// whole reads a closed file in all possible ways.
func (g goldenLog) whole(t *testing.T, libs []b2test.Library, what string, b, want []byte) {
	t.Helper()
	got, err := content("", b)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes of %d: %v", what, len(got), len(want), err)
	}
	path := filepath.Join(t.TempDir(), "log")
	must(t, os.WriteFile(path, b, 0o666))
	for _, lib := range libs {
		if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: C-Blosc2 %d reads %d bytes of %d: %v", what, lib.Major, len(got), len(want), err)
		}
	}
}
