package stream_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A reading is a record with padding in memory, and a dtype longer than the
// shortest msgpack string.
type reading struct {
	Good  bool       `blosc2:"good"`
	Time  int64      `blosc2:"time,datetime64[ns]"`
	Site  [8]byte    `blosc2:"site,S8"`
	Value [3]float32 `blosc2:"value"`
	Count uint16     `blosc2:"count"`
	Note  string     `blosc2:"-"`
}

const readingDType = "[('good', '|b1'), ('time', '<M8[ns]'), ('site', '|S8'), ('value', '<f4', (3,)), ('count', '<u2')]"

func readings(n int) []reading {
	s := make([]reading, n)
	for i := range s {
		s[i] = reading{Good: i%2 == 0, Time: int64(i) * 1e9, Value: [3]float32{float32(i), 1, 2}, Count: uint16(i)}
		copy(s[i].Site[:], "station")
	}
	return s
}

// Records survive a round trip, and C-Blosc2 reads the bytes of a packed record.
func TestRecords(t *testing.T) {
	libs := b2test.Oracles(t)
	all := readings(5000)
	path := filepath.Join(t.TempDir(), "a.b2frame")
	file, err := os.Create(path)
	must(t, err)
	w := newWriter(t, file, stream.ChunkSize(10000))
	r := rand.New(rand.NewPCG(1, 1))
	for rest := all; len(rest) > 0; {
		k := min(r.IntN(2000), len(rest))
		if n, err := stream.WriteSlice(w, rest[:k]); n != k || err != nil {
			t.Fatal(n, err)
		}
		rest = rest[k:]
	}
	must(t, w.Close())
	must(t, file.Close())

	var want []byte
	for _, s := range all {
		want, err = binary.Append(want, binary.LittleEndian, struct {
			Good  bool
			Time  int64
			Site  [8]byte
			Value [3]float32
			Count uint16
		}{s.Good, s.Time, s.Site, s.Value, s.Count})
		must(t, err)
	}
	for _, lib := range libs {
		if got, err := lib.Decode(t, "read-frame", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v reads other bytes, %v", lib, err)
		}
	}
	b, err := os.ReadFile(path)
	must(t, err)
	got := make([]reading, 6000)
	zr, err := stream.NewReader(bytes.NewReader(b))
	must(t, err)
	if n, err := stream.ReadSlice(zr, got); n != len(all) || err != nil || !reflect.DeepEqual(got[:n], all) {
		t.Errorf("%d records, %v", n, err)
	}
	if v, _ := zr.Metalayer(meta.DTypeName); string(v[2:]) != readingDType || v[0] != 0xd9 || int(v[1]) != len(readingDType) {
		t.Errorf("metalayer %q", v)
	}
	// Read only some of the fields, in another order.
	zr, err = stream.NewReader(bytes.NewReader(b))
	must(t, err)
	some := make([]struct {
		Count uint16 `blosc2:"count"`
		Time  int64  `blosc2:"time"`
	}, 3)
	if n, err := stream.ReadSlice(zr, some); n != 3 || err != nil || some[2].Count != 2 || some[2].Time != 2e9 {
		t.Errorf("%d, %v, %v", n, some, err)
	}
	must(t, zr.Close())
}

// A file of records can be continued only with structs of the same fields, in any order.
func TestRecordsAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.b2frame")
	file, err := os.Create(path)
	must(t, err)
	w := newWriter(t, file)
	_, err = stream.WriteSlice(w, readings(10))
	must(t, err)
	must(t, w.Close())
	must(t, file.Close())
	a, err := stream.AppendFile(path)
	must(t, err)
	if _, err := stream.WriteSlice(a.Writer, []struct{ Count uint16 }{{1}}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("other fields: %v", err)
	}
	type turned struct {
		Count uint16     `blosc2:"count"`
		Value [3]float32 `blosc2:"value"`
		Site  [8]byte    `blosc2:"site"`
		Time  int64      `blosc2:"time,M8[ns]"`
		Good  bool       `blosc2:"good"`
	}
	_, err = stream.WriteSlice(a.Writer, []turned{{Count: 77, Good: true}})
	must(t, err)
	must(t, a.Close())
	b, err := os.ReadFile(path)
	must(t, err)
	zr, err := stream.NewReader(bytes.NewReader(b))
	must(t, err)
	got := make([]reading, 20)
	if n, err := stream.ReadSlice(zr, got); n != 11 || err != nil || got[10].Count != 77 || !got[10].Good || got[9].Count != 9 {
		t.Errorf("%d records, %v", n, err)
	}
}

// Types that cannot be items are rejected immediately, also in options.
func TestNoRecords(t *testing.T) {
	w := newWriter(t, io.Discard)
	var oe *blosc2.OptionError
	if _, err := stream.WriteSlice(w, []int{1}); !errors.As(err, &oe) {
		t.Errorf("int: %v", err)
	}
	if _, err := stream.NewWriter(io.Discard, stream.Items[string]()); !errors.As(err, &oe) {
		t.Errorf("Items of string: %v", err)
	}
	if _, err := stream.WriteSlice(w, [][3]rune{{}}); !errors.As(err, &oe) {
		t.Errorf("characters that no dtype calls so: %v", err)
	}
	_, err := stream.WriteSlice(w, []uint8{1})
	must(t, err)
	must(t, w.Close())
}

// The items of an array are not stored in order: typed reading returns an error
// that says so, while the bytes can be read as stored.
func TestArrayRefused(t *testing.T) {
	desc := &meta.B2ND{Shape: []int64{4, 4}, ChunkShape: []int32{2, 2}, BlockShape: []int32{2, 2}, DType: "<i2"}
	value, err := desc.Append(nil)
	must(t, err)
	old, err := (&meta.Caterva{Shape: []int64{4, 4}, ChunkShape: []int32{2, 2}, BlockShape: []int32{2, 2}}).Append(nil)
	must(t, err)
	for name, value := range map[string][]byte{meta.B2NDName: value, meta.CatervaName: old} {
		var buf bytes.Buffer
		w := newWriter(t, &buf, stream.TypeSize(2), stream.Metalayer(name, value))
		if _, err := stream.WriteSlice(w, []int16{1}); !errors.Is(err, blosc2.ErrUnsupported) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: typed writing: %v", name, err)
		}
		_, err := w.Write(make([]byte, 32))
		must(t, err)
		must(t, w.Close())
		r, err := stream.NewReader(bytes.NewReader(buf.Bytes()))
		must(t, err)
		n, err := stream.ReadSlice(r, make([]int16, 16))
		var fe *blosc2.FormatError
		if n != 0 || !errors.Is(err, blosc2.ErrUnsupported) || !errors.As(err, &fe) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "package b2nd") {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if b, err := io.ReadAll(r); err != nil || len(b) != 32 {
			t.Errorf("%s: %d bytes as they are stored, %v", name, len(b), err)
		}
	}
}

// The header of the last chunk read is known, whichever worker decoded it.
func TestChunkHeader(t *testing.T) {
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(4096), stream.BlockSize(1024))
	_, err := w.Write(bytes.Repeat([]byte("abcdefgh"), 10000))
	must(t, err)
	must(t, w.Close())
	f, err := frame.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	must(t, err)
	for _, workers := range []int{1, 2} {
		r, err := stream.NewReader(struct{ io.Reader }{bytes.NewReader(buf.Bytes())}, stream.Workers(workers))
		must(t, err)
		if _, err := r.ChunkHeader(); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("before the first: %v", err)
		}
		for n := int64(0); ; n++ {
			_, err := r.NextChunk()
			if err == io.EOF {
				break
			}
			must(t, err)
			var want chunk.Header
			want, err = f.ChunkHeader(n)
			must(t, err)
			if got, err := r.ChunkHeader(); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("chunk %d: %+v, want %+v, %v", n, got, want, err)
			}
		}
		if _, err := r.ChunkHeader(); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("after the last: %v", err)
		}
	}
}

// For any contents of the metalayer dtype, typed reading returns the right items or an
// error.
func FuzzDType(f *testing.F) {
	f.Add([]byte("\xa3<f8"), []byte("12345678"))
	f.Add([]byte("\xd9\x05xyz"), []byte{1})
	f.Add([]byte("\xdb"), []byte{1})
	f.Add(append([]byte{0xd9, byte(len(readingDType))}, readingDType...), []byte("0123456789abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, dtype, data []byte) {
		var buf bytes.Buffer
		w, err := stream.NewWriter(&buf, stream.Workers(1), stream.Metalayer(meta.DTypeName, dtype), stream.TypeSize(1))
		if err != nil {
			return
		}
		_, err = w.Write(data)
		must(t, errors.Join(err, w.Close()))
		for _, read := range []func(r *stream.Reader) error{readAs[float64], readAs[reading], readAs[bool], readAs[[5]byte], readAs[[2]rune]} {
			r, err := stream.NewReader(bytes.NewReader(buf.Bytes()), stream.Workers(1))
			must(t, err)
			err = read(r)
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && !errors.Is(err, blosc2.ErrOption) {
				t.Fatal(err)
			}
			r.Close()
		}
	})
}

func readAs[T any](r *stream.Reader) error {
	_, err := stream.ReadSlice(r, make([]T, 100))
	return err
}
