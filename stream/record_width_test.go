package stream_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// Auto finds the length of records, whichever way they are written. Chunks are multiples
// of that length, the frame is the same for all ways of writing that can look ahead, and for
// all that cannot, and C-Blosc2 reads it, whole and in ranges.
func TestAutoRecords(t *testing.T) {
	libs := b2test.Oracles(t)
	const mega = 1 << 20
	for _, length := range []int{12, 24, 61, 255} {
		for _, size := range []int{160 << 10, mega - mega%length, mega - 1, mega, mega + 1, 3*mega + 12345} {
			data := records(size, length)[:size]
			first := map[bool][]byte{} // by whether the Writer can look ahead
			for name, write := range map[string]func(w *stream.Writer) error{
				"one Write": func(w *stream.Writer) error { _, err := w.Write(data); return err },
				"many Writes": func(w *stream.Writer) error {
					for b := data; len(b) > 0; {
						n := min(len(b), 70_001)
						if _, err := w.Write(b[:n]); err != nil {
							return err
						}
						b = b[n:]
					}
					return nil
				},
				"ReadFrom": func(w *stream.Writer) error {
					_, err := w.ReadFrom(onlyReader{bytes.NewReader(data)})
					return err
				},
				"ReadFrom of memory": func(w *stream.Writer) error {
					_, err := w.ReadFrom(bytes.NewReader(data))
					return err
				},
				"Compress": nil,
			} {
				ahead := name == "Compress" || name == "ReadFrom of memory"
				for _, workers := range []int{1, 2} {
					options := []stream.WriterOption{stream.Auto(tune.Balanced), stream.Workers(workers)}
					var b bytes.Buffer
					if write != nil {
						w, err := stream.NewWriter(&b, options...)
						must(t, err)
						must(t, write(w))
						must(t, w.Close())
						if n := w.Stats().Bytes; n != int64(size) {
							t.Errorf("%s: Stats counts %d bytes of %d", name, n, size)
						}
					} else {
						out, err := stream.Compress(nil, data, options...)
						must(t, err)
						b.Write(out)
					}
					if first[ahead] == nil {
						first[ahead] = b.Bytes()
					}
					if !bytes.Equal(b.Bytes(), first[ahead]) {
						t.Errorf("records of %d, %d bytes, %s with %d workers: other bytes", length, size, name, workers)
					}
				}
			}
			for _, b := range first {
				checkRecords(t, libs, b, data, length)
			}

			// The header of an unsealed frame is written before the data.
			var pipe bytes.Buffer
			w, err := stream.NewWriter(onlyWriter{&pipe}, stream.Auto(tune.Balanced))
			must(t, err)
			_, err = w.Write(data)
			must(t, err)
			must(t, w.Flush())
			must(t, w.Close())
			r, err := stream.NewReader(&pipe)
			must(t, err)
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
				t.Errorf("records of %d, %d bytes, through a pipe: other bytes, or %v", length, size, err)
			}
		}
		// A source that can be read at any offset is sampled first.
		data := records(4*mega+999, length)
		name := filepath.Join(t.TempDir(), "x.b2frame")
		w, err := stream.CreateFile(name, stream.Auto(tune.Balanced))
		must(t, err)
		_, err = w.ReadFrom(bytes.NewReader(data))
		must(t, err)
		must(t, w.Close())
		b, err := os.ReadFile(name)
		must(t, err)
		checkRecords(t, libs, b, data, length)
	}
}

// checkRecords tests that a frame has items of a length and holds data.
func checkRecords(t *testing.T, libs []b2test.Library, b, data []byte, length int) {
	t.Helper()
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	h := f.Header()
	if int(h.TypeSize) != length || int(h.ChunkSize)%length != 0 {
		t.Errorf("records of %d, %d bytes: items of %d in chunks of %d", length, len(data), h.TypeSize, h.ChunkSize)
	}
	name := filepath.Join(t.TempDir(), "x.b2frame")
	must(t, os.WriteFile(name, b, 0o666))
	out := name + ".out"
	for _, lib := range libs {
		got, err := lib.Decode(t, "read-frame", name)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("records of %d, %d bytes: C-Blosc2 %d reads other bytes, or %v", length, len(data), lib.Major, err)
		}
		from, to := len(data)/length/3, len(data)/length/3*2
		if _, err := lib.RunErr("read-range", "--start", strconv.Itoa(from), "--stop", strconv.Itoa(to), name, out); err != nil {
			t.Errorf("records of %d, %d bytes: C-Blosc2 %d: %v", length, len(data), lib.Major, err)
			continue
		}
		got, err = os.ReadFile(out)
		must(t, err)
		if !bytes.Equal(got, data[from*length:to*length]) {
			t.Errorf("records of %d, %d bytes: C-Blosc2 %d reads other items", length, len(data), lib.Major)
		}
	}
}

// ItemSize is the typesize, unless Auto finds records of several items. A log can be
// continued with it, whatever it found.
func TestItemSize(t *testing.T) {
	libs := b2test.Oracles(t)
	data := records(2<<20, 24)[:2<<20]
	for _, c := range []struct {
		name    string
		want    int
		options []stream.WriterOption
	}{
		{"records", 24, []stream.WriterOption{stream.ItemSize(8), stream.Auto(tune.Balanced)}},
		{"two items", 24, []stream.WriterOption{stream.Auto(tune.Disk), stream.ItemSize(12)}},
		{"whole items", 48, []stream.WriterOption{stream.ItemSize(16), stream.Auto(tune.WAN)}},
		{"long items", 255, []stream.WriterOption{stream.ItemSize(255), stream.Auto(tune.Balanced)}},
		{"no Auto", 8, []stream.WriterOption{stream.ItemSize(8)}},
		{"TypeSize", 8, []stream.WriterOption{stream.TypeSize(8), stream.Auto(tune.Balanced)}},
		{"both", 8, []stream.WriterOption{stream.TypeSize(8), stream.ItemSize(8), stream.Auto(tune.Balanced)}},
		{"Items", 8, []stream.WriterOption{stream.Items[float64](), stream.Auto(tune.Balanced)}},
		{"Items of ItemSize", 24, []stream.WriterOption{stream.Items[float64](), stream.ItemSize(8), stream.Auto(tune.Balanced)}},
		{"ItemSize of Items", 24, []stream.WriterOption{stream.ItemSize(8), stream.Items[float64](), stream.Auto(tune.Balanced)}},
	} {
		name := filepath.Join(t.TempDir(), "x.b2frame")
		held := 0
		for _, n := range []int{len(data) / 2, 100, len(data)/2 - 100} {
			w, err := stream.AppendFile(name, c.options...)
			if err != nil {
				t.Fatalf("%s, after %d bytes: %v", c.name, held, err)
			}
			_, err = w.Write(data[held : held+n])
			must(t, err)
			must(t, w.Close())
			held += n
		}
		b, err := os.ReadFile(name)
		must(t, err)
		checkRecords(t, libs, b, data, c.want)
	}
	var buf bytes.Buffer
	w, err := stream.NewWriter(&buf, stream.ItemSize(8), stream.Auto(tune.Balanced))
	must(t, err)
	for at := 0; at < len(data); at += 1 << 20 {
		must(t, w.WriteChunk(func(chunk []byte) error { copy(chunk, data[at:]); return nil }))
	}
	must(t, w.Close())
	checkRecords(t, libs, buf.Bytes(), data, 8)

	// WriteSlice records the type, and Items of it continues a frame of records.
	items := make([]uint64, len(data)/8)
	for i := range items {
		items[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	typed := filepath.Join(t.TempDir(), "typed.b2frame")
	for _, options := range [][]stream.WriterOption{
		{stream.ItemSize(8), stream.Auto(tune.Balanced)},
		{stream.Items[uint64](), stream.Auto(tune.Balanced)},
		{},
	} {
		w, err := stream.AppendFile(typed, options...)
		must(t, err)
		_, err = stream.WriteSlice(w.Writer, items)
		must(t, err)
		must(t, w.Close())
	}
	b, err := os.ReadFile(typed)
	must(t, err)
	checkRecords(t, libs, b, append(append(bytes.Clone(data), data...), data...), 24)
	r, err := stream.OpenFile(typed)
	must(t, err)
	back := make([]uint64, 3*len(items))
	n, err := stream.ReadSlice(r.Reader, back)
	if err != nil || n != len(back) || !slices.Equal(back[2*len(items):], items) {
		t.Errorf("ReadSlice of records: %d items, %v", n, err)
	}
	must(t, r.Close())

	name := filepath.Join(t.TempDir(), "x.b2frame")
	for i, options := range [][]stream.WriterOption{
		{stream.ItemSize(8), stream.Auto(tune.Balanced)},
		{stream.ItemSize(7), stream.Auto(tune.Balanced)}, // not a part of the frame's
		{stream.ItemSize(0)},
		{stream.ItemSize(8), stream.TypeSize(24)},
		{stream.TypeSize(24), stream.ItemSize(8)},
		{stream.ItemSize(4), stream.Items[float64]()},
	} {
		w, err := stream.AppendFile(name, options...)
		switch {
		case i > 0 && !errors.Is(err, blosc2.ErrOption):
			t.Errorf("options %d: %v, want an invalid option", i, err)
		case i == 0:
			must(t, err)
			_, err = w.Write(data)
			must(t, err)
			must(t, w.Close())
		}
	}
}

// With WriteChunk, and after chunks of equal bytes, widths are powers of two, because
// the size of chunks cannot change.
func TestAutoRecordsFixedChunks(t *testing.T) {
	data := records(2<<20, 24)[:2<<20]
	for name, write := range map[string]func(w *stream.Writer) error{
		"WriteChunk": func(w *stream.Writer) error {
			for at := 0; at < len(data); at += 1 << 20 {
				if err := w.WriteChunk(func(chunk []byte) error { copy(chunk, data[at:]); return nil }); err != nil {
					return err
				}
			}
			return nil
		},
		"zeros first": func(w *stream.Writer) error {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
			_, err := w.Write(data)
			return err
		},
	} {
		var b bytes.Buffer
		w, err := stream.NewWriter(&b, stream.Auto(tune.Balanced))
		must(t, err)
		must(t, write(w))
		must(t, w.Close())
		f, err := frame.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
		must(t, err)
		if n := f.Header().TypeSize; n&(n-1) != 0 {
			t.Errorf("%s: items of %d", name, n)
		}
		got, err := stream.Decompress(nil, b.Bytes())
		if err != nil || !bytes.HasSuffix(got, data) {
			t.Errorf("%s: other bytes, or %v", name, err)
		}
	}
}

// A program that writes records of any length can be started again and again with the
// same options, whatever its first start wrote.
func TestAppendSameChunkSize(t *testing.T) {
	type record [12]byte
	for name, options := range map[string][]stream.WriterOption{
		"12":    {stream.TypeSize(12)},
		"56":    {stream.TypeSize(56)},
		"8":     {stream.TypeSize(8)},
		"auto":  {stream.Auto(tune.Balanced)},
		"items": {stream.Items[record]()},
		"size":  {stream.ItemSize(4), stream.Auto(tune.Balanced)},
	} {
		for _, chunkSize := range []int{1001, 64 << 10, 1 << 20} {
			for _, first := range []int{1, 3 << 19} {
				file := filepath.Join(t.TempDir(), "x.b2frame")
				data := records(first+2400, 12)
				for at := 0; at < len(data); {
					w, err := stream.AppendFile(file, append(options, stream.ChunkSize(chunkSize))...)
					if err != nil {
						t.Fatalf("%s, chunks of %d, after %d bytes: %v", name, chunkSize, at, err)
					}
					n := min(first+at, len(data)-at)
					_, err = w.Write(data[at : at+n])
					must(t, err)
					must(t, w.Close())
					at += n
				}
				_, err := stream.AppendFile(file, append(options, stream.ChunkSize(chunkSize/2))...)
				if !errors.Is(err, blosc2.ErrOption) {
					t.Errorf("%s, chunks of %d, then of half: %v", name, chunkSize, err)
				}
				b, err := os.ReadFile(file)
				must(t, err)
				if got, err := stream.Decompress(nil, b); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s, chunks of %d: other bytes, or %v", name, chunkSize, err)
				}
			}
		}
	}
	_, err := stream.AppendFile(filepath.Join(t.TempDir(), "x"), stream.TypeSize(0))
	if !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("items of 0 bytes: %v", err)
	}
}

// A connection sends large Writes of records without copying them; the bytes that are cut
// off the first chunk are not lost.
func TestConnRecords(t *testing.T) {
	data := records(5<<19, 24)
	for _, workers := range []int{1, 2} {
		a, b := net.Pipe()
		w, err := stream.NewConn(a, stream.Auto(tune.Balanced), stream.Workers(workers))
		must(t, err)
		r, err := stream.NewConn(b)
		must(t, err)
		go func() {
			w.Write(data)
			w.Write(data[:100])
			w.Close()
		}()
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, append(bytes.Clone(data), data[:100]...)) {
			t.Errorf("%d workers: other bytes, or %v", workers, err)
		}
		r.Close()
	}
}
