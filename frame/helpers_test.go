package frame_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// segments returns a frame of three segments, in which a short chunk was continued twice.
func segments(t *testing.T, checks bool) (m *maker, data []byte) {
	const size = 1000
	data = ramp(3*size + 500)
	m = newMaker(t, size, building{Checks: checks})
	m.chunk(data[:size])
	m.chunk(data[size : size+100])
	m.tail()
	m.grow(data[size : size+400])
	m.grow(data[size : 2*size])
	m.chunk(data[2*size : 3*size])
	m.tail()
	m.tail() // without a new chunk, but perhaps a vlmetalayer
	m.chunk(data[3*size:])
	m.tail()
	return m, data
}

func write(t *testing.T, b []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.b2frame")
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func verify(t *testing.T, b []byte, workers int) *frame.Report {
	t.Helper()
	rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)), frame.Workers(workers))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// various returns a sealed frame of data in chunks of the given sizes.
func various(t testing.TB, p chunk.Params, sizes []int, layers ...meta.Layer) (data, file []byte) {
	t.Helper()
	b, err := frame.NewBuilder(&header.Header{TypeSize: int32(p.TypeSize), VariableChunks: true,
		Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters, Layers: layers}, frame.Checks(true))
	if err != nil {
		t.Fatal(err)
	}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{t: t, b: b, enc: enc}
	m.wire = m.must(b.AppendHeader(nil))
	m.head = bytes.Clone(m.wire)
	m.b.SetVLMeta("note", []byte("hello"))
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	data = ramp(sum)
	at := 0
	for _, n := range sizes {
		m.chunk(data[at : at+n])
		at += n
	}
	m.tail()
	return data, m.sealed()
}

// recut compacts a file and checks all properties that the result must have.
func recut(t *testing.T, path string, want []byte, opts ...frame.Option) *frame.Reader {
	t.Helper()
	if err := frame.CompactFile(path, opts...); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, "compacted", b, want)
	_, f, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
	if err != nil || !rep.Sound() || rep.Trailing != 0 || rep.Superseded != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	if f.Order() != frame.Sealed || !f.Checked() {
		t.Errorf("order %d, checked %v", f.Order(), f.Checked())
	}
	if v, ok, err := f.VLMeta("note"); !ok || string(v) != "hello" || err != nil {
		t.Errorf("note %q, %v", v, err)
	}
	return f
}

// bothRead checks that every genuine library reads a file as a whole and in part.
func bothRead(t *testing.T, path string, want []byte, typesize int) {
	t.Helper()
	for _, lib := range b2test.Oracles(t) {
		if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("version %d reads %d bytes, want %d: %v", lib.Major, len(got), len(want), err)
		}
		part := filepath.Join(t.TempDir(), "part")
		lo, hi := len(want)/3/typesize, len(want)/typesize
		lib.Run(t, "read-range", "--start", itoa(lo), "--stop", itoa(hi), path, part)
		if got, err := os.ReadFile(part); err != nil || !bytes.Equal(got, want[lo*typesize:hi*typesize]) {
			t.Errorf("version %d reads another part, of %d bytes: %v", lib.Major, len(got), err)
		}
	}
}

// open opens an entry of the corpus.
func open(t *testing.T, e b2test.Entry, opts ...frame.Option) (*frame.Reader, error) {
	if info, err := os.Stat(e.File()); err == nil && info.IsDir() {
		return frame.OpenFS(os.DirFS(e.File()), opts...)
	}
	b := e.Bytes(t)
	return frame.Open(bytes.NewReader(b), int64(len(b)), opts...)
}

// small returns a small checked frame with all kinds of parts.
func small(t testing.TB) (sealed, unsealed, data []byte, ends []int) {
	t.Helper()
	data = ramp(500)
	m := newMaker(t, 200, building{Checks: true}, meta.Layer{Name: "mine", Value: []byte("metalayer")})
	m.b.SetVLMeta("note", []byte("hello"))
	m.chunk(data[:200])
	ends = append(ends, len(m.wire))
	m.chunk(data[200:300])
	ends = append(ends, len(m.wire))
	m.grow(data[200:400])
	ends = append(ends, len(m.wire))
	m.chunk(data[400:])
	ends = append(ends, len(m.wire))
	m.tail()
	return m.sealed(), m.unsealed(), data, ends
}

// sealedOf returns a sealed frame of data, in a file.
func sealedOf(t *testing.T, data []byte, layers ...meta.Layer) string {
	t.Helper()
	m := newMaker(t, 1000, building{Checks: true}, layers...)
	m.b.SetVLMeta("note", []byte("hello"))
	for _, c := range cut(data, 1000) {
		m.chunk(c)
	}
	m.tail()
	return write(t, m.sealed())
}

// seeds adds frames of ours, and those of the corpus up to a size.
func seeds(f *testing.F) {
	sealed, unsealed, _, _ := small(f)
	f.Add(sealed)
	f.Add(unsealed)
	for _, e := range b2test.Corpus(f) {
		if e.Kind == "chunk" || e.Kind == "filtered" || e.Files != nil || e.Size > 3000 {
			continue
		}
		f.Add(e.Bytes(f))
	}
}

func newMaker(t testing.TB, chunkSize int, o building, layers ...meta.Layer) *maker {
	t.Helper()
	p := chunk.Default()
	p.TypeSize, p.PlainZeros = 4, true
	return newMakerOf(t, p, chunkSize, o, layers...)
}

func newMakerOf(t testing.TB, p chunk.Params, chunkSize int, o building, layers ...meta.Layer) *maker {
	t.Helper()
	b, err := frame.NewBuilder(&header.Header{TypeSize: int32(p.TypeSize), ChunkSize: int32(chunkSize),
		Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters, Layers: layers}, o.options()...)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{t: t, b: b, enc: enc}
	m.wire = m.must(b.AppendHeader(nil))
	m.head = bytes.Clone(m.wire)
	return m
}

// mustHold checks that a frame holds want, read by index and front to back.
func mustHold(t *testing.T, what string, b, want []byte) {
	t.Helper()
	if got, _, err := readAll(b); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: by index %d bytes, want %d: %v", what, len(got), len(want), err)
	}
	if got, _, err := walk(bytes.NewReader(b)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: front to back %d bytes, want %d: %v", what, len(got), len(want), err)
	}
}

func plainParams() chunk.Params {
	p := chunk.Default()
	p.TypeSize, p.PlainZeros = 4, true
	return p
}

// payload returns the data of all chunks of a frame, read one by one.
func payload(f *frame.Reader) ([]byte, error) {
	var b []byte
	for n := range f.NumChunks() {
		var err error
		if b, err = f.Chunk(b, n); err != nil {
			return b, err
		}
	}
	return b, nil
}

// frames returns the frames of the corpus that are single files.
func frames(t testing.TB) (entries []b2test.Entry) {
	for _, e := range b2test.Corpus(t) {
		if info, err := os.Stat(e.File()); e.Kind != "chunk" && e.Kind != "filtered" && e.Reject == "" && err == nil && !info.IsDir() {
			entries = append(entries, e)
		}
	}
	return entries
}

// ramp returns n compressible bytes.
func ramp(n int) []byte {
	b := make([]byte, 0, n+4)
	for i := uint32(0); len(b) < n; i++ {
		b = binary.LittleEndian.AppendUint32(b, i*7)
	}
	return b[:n]
}

// cut returns data in pieces of n bytes.
func cut(data []byte, n int) (pieces [][]byte) {
	for len(data) > 0 {
		k := min(n, len(data))
		pieces = append(pieces, data[:k])
		data = data[k:]
	}
	return pieces
}

// walk decodes all chunks of a source front to back.
func walk(r io.Reader, opts ...frame.Option) ([]byte, *frame.Walker, error) {
	w := frame.NewWalker(r, opts...)
	var data, buf []byte
	for {
		it, err := w.Next(buf)
		if err == io.EOF {
			return data, w, nil
		}
		if err == nil {
			err = it.Verify()
		}
		if err != nil {
			return data, w, err
		}
		var d chunk.Decoder
		framing.SetUp(&d, it.Header, 0)
		one, err := d.Decode(nil, it.Chunk)
		if err != nil {
			return data, w, err
		}
		data = append(data, one[it.Skip:]...)
		buf = it.Chunk[:0]
	}
}

// readAll reads a frame by its index.
func readAll(b []byte, opts ...frame.Option) ([]byte, *frame.Reader, error) {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), opts...)
	if err != nil {
		return nil, nil, err
	}
	data, err := payload(f)
	return data, f, err
}

func itoa(n int) string { return strconv.Itoa(n) }

// text returns a header as text, for comparison.
func text(t *testing.T, h *header.Header) string {
	t.Helper()
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
