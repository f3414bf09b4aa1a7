package header_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// frameBytes returns the frame of an entry; of a sparse one, the file with the
// header.
func frameBytes(t *testing.T, e b2test.Entry) []byte {
	t.Helper()
	if info, err := os.Stat(e.File()); err == nil && info.IsDir() {
		b, err := os.ReadFile(filepath.Join(e.File(), "chunks.b2frame"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return e.Bytes(t)
}

// indexEnd returns the end of a frame's index.
func indexEnd(h *header.Header, frame []byte) int64 {
	at := int64(h.Len())
	if h.NBytes == 0 {
		return at
	}
	if h.Type == header.Contiguous {
		at += h.CBytes
	}
	return at + int64(binary.LittleEndian.Uint32(frame[at+12:]))
}

// trailerBytes finds the trailer of a frame in a file: from the frame's end, or
// from its index if the library of the time understated the length.
func trailerBytes(t *testing.T, e b2test.Entry, h *header.Header, file []byte) []byte {
	t.Helper()
	end := int64(h.FrameLen)
	n, err := h.TrailerLen(file[end-header.TrailerEnd : end])
	start := end - int64(n)
	if err != nil && h.Generation == header.Layout2019Trailer {
		start, err = indexEnd(h, file), nil
	}
	extent, whole := 0, false
	for !whole && err == nil {
		extent, whole, err = h.TrailerExtent(file[start : start+int64(extent)])
	}
	if err != nil || n != 0 && extent != n {
		t.Errorf("%s: trailer of %d bytes, or of %d: %v", e.Path, n, extent, err)
	}
	return file[start : start+int64(extent)]
}

// checkMade makes the header that h describes and compares it with the genuine one. It
// does so only for the layouts that this package can write for new frames.
func checkMade(t *testing.T, e b2test.Entry, h *header.Header, genuine []byte) {
	t.Helper()
	if h.Generation != header.Current && h.Generation != header.Layout2019 {
		return
	}
	made := &header.Header{}
	for i, v := 0, reflect.ValueOf(h).Elem(); i < v.NumField(); i++ {
		if v.Type().Field(i).IsExported() {
			reflect.ValueOf(made).Elem().Field(i).Set(v.Field(i))
		}
	}
	got, err := made.Append(nil)
	if err != nil {
		t.Errorf("%s: %v", e.Path, err)
		return
	}
	genuine = bytes.Clone(genuine)
	if h.Generation == header.Layout2019 {
		genuine[26] = 0 // filter flags, which do not vary: 6 in beta.1, 0 in later versions
	}
	if !bytes.Equal(got, genuine) {
		t.Errorf("%s: header made as\n% x, genuine one is\n% x", e.Path, got, genuine)
	}
}

// Every header and trailer of the corpus is written as it was read.
func TestCorpusRoundTrip(t *testing.T) {
	headers := map[header.Generation]int{}
	trailers := map[header.TrailerKind]int{}
	littleEndian := 0
	for _, e := range b2test.Corpus(t) {
		if e.Reject != "" || e.Kind == "chunk" || e.Kind == "filtered" {
			continue
		}
		frame := frameBytes(t, e)
		h, err := header.Parse(frame)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if h.FrameLen > uint64(len(frame)) {
			t.Errorf("%s: frame of %d bytes in %d", e.Path, h.FrameLen, len(frame))
			continue
		}
		file := frame
		frame = frame[:h.FrameLen]
		if err := h.Settle(indexEnd(h, frame)); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		out, err := h.Append(nil)
		if err != nil || !bytes.Equal(out, frame[:h.Len()]) {
			t.Errorf("%s: header written as\n% x, read as\n% x (%v)", e.Path, out, frame[:h.Len()], err)
		}
		headers[h.Generation]++
		checkMade(t, e, h, out)
		if h.LittleEndian {
			littleEndian++
		}
		if !h.Generation.HasTrailer() {
			continue
		}
		b := trailerBytes(t, e, h, file)
		tr, err := h.ParseTrailer(b)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if out, err := tr.Append(nil); err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: trailer written as\n% x, read as\n% x (%v)", e.Path, out, b, err)
		}
		trailers[tr.Kind]++
	}
	t.Logf("headers: %v; little-endian: %d; trailers: %v", headers, littleEndian, trailers)
	for _, g := range []header.Generation{header.Current, header.Layout2019, header.Layout2019Trailer, header.LayoutPipeline, header.LayoutBeta, header.LayoutRC} {
		if headers[g] == 0 {
			t.Errorf("no frame of generation %v", g)
		}
	}
	for k := range header.Trailer2019 + 1 {
		if trailers[k] == 0 {
			t.Errorf("no trailer of kind %d", k)
		}
	}
	if littleEndian == 0 {
		t.Error("no little-endian frame")
	}
}
