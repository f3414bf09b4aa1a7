package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// After a Flush every byte that was written can be read, on every kind of sink.
func TestFlush(t *testing.T) {
	procs(t, 2)
	data := numbers(50_000)
	for _, sink := range []string{"file", "pipe"} {
		for _, workers := range []int{1, 2} {
			for _, variable := range []bool{false, true} {
				name := fmt.Sprintf("%s, %d workers, variable %v", sink, workers, variable)
				opts := []stream.WriterOption{stream.ChunkSize(4000), stream.Workers(workers)}
				if variable {
					opts = append(opts, stream.VariableChunks())
				}
				f := tempFile(t)
				var out io.Writer = f
				if sink == "pipe" {
					out = onlyWriter{f}
				}
				w := newWriter(t, out, opts...)
				must(t, w.Flush())
				for at, k := 0, 1; at < len(data); at, k = at+k, k*3%7001+1 {
					k = min(k, len(data)-at)
					_, err := w.Write(data[at : at+k])
					must(t, err)
					must(t, w.Flush())
					must(t, w.Flush())
					b, err := os.ReadFile(f.Name())
					must(t, err)
					if got := arrived(t, b); !bytes.Equal(got, data[:at+k]) {
						t.Fatalf("%s: %d bytes of %d arrived", name, len(got), at+k)
					}
				}
				must(t, w.Close())
				b, err := os.ReadFile(f.Name())
				must(t, err)
				check(t, name, b, data)
				if w.Sealed() != (sink == "file") {
					t.Errorf("%s: sealed %v", name, w.Sealed())
				}
				must(t, frame.Seal(f, int64(len(b))))
				b, err = os.ReadFile(f.Name())
				must(t, err)
				check(t, name+", sealed", b, data)
				fr, err := frame.Open(bytes.NewReader(b), int64(len(b)))
				must(t, err)
				if fixed := sink == "file" && !variable; fr.Header().VariableChunks == fixed || fixed && fr.NumChunks() != int64(len(data)+3999)/4000 {
					t.Errorf("%s: variable %v, %d chunks", name, fr.Header().VariableChunks, fr.NumChunks())
				}
			}
		}
	}
}

// Flush stores the bytes unchanged, even if a lossy filter will change them when the
// chunk is full. A short lossy chunk is not filled up.
func TestFlushLossy(t *testing.T) {
	lossy, err := filters.Parse("trunc_prec:10,shuffle")
	must(t, err)
	opts := []stream.WriterOption{stream.Filters(lossy), stream.TypeSize(4), stream.ChunkSize(4000), stream.Workers(1)}
	f := tempFile(t)
	w := newWriter(t, f, opts...)
	data := numbers(8100)
	_, err = w.Write(data[:4100])
	must(t, err)
	must(t, w.Flush())
	b, err := os.ReadFile(f.Name())
	must(t, err)
	if got := arrived(t, b); len(got) != 4100 || !bytes.Equal(got[4000:], data[4000:4100]) {
		t.Errorf("%d bytes after the flush", len(got))
	}
	_, err = w.Write(data[4100:])
	must(t, err)
	must(t, w.Close())
	if _, err := stream.AppendFile(f.Name()); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("filling up a chunk that has lost precision: %v", err)
	}
	w = newWriter(t, tempFile(t), append(opts, stream.VariableChunks())...)
	_, err = w.Write(data[:4100])
	must(t, err)
	must(t, w.Flush())
	must(t, w.Close())
}

// After a Checkpoint the file is a sealed frame, whatever follows.
func TestCheckpoint(t *testing.T) {
	data := noise(30_000)
	for _, offset := range []int64{0, 1000} {
		f := tempFile(t)
		_, err := f.Seek(offset, io.SeekStart)
		must(t, err)
		w := newWriter(t, f, stream.ChunkSize(4000), stream.Workers(2), stream.Metalayer("m", []byte("12")))
		must(t, w.Checkpoint())
		for at, k := 0, 100; at < len(data); at, k = at+k, k*3%7001 {
			k = min(k, len(data)-at)
			_, err := w.Write(data[at : at+k])
			must(t, err)
			must(t, w.SetVLMeta("at", fmt.Append(nil, at+k)))
			if at > 9000 {
				must(t, w.SetVLMeta("early", nil))
			} else {
				must(t, w.SetVLMeta("early", []byte{}))
			}
			if ok, err := framing.Rows(w).UpdateMetalayer("m", fmt.Appendf(nil, "%02d", at%100)); !ok || err != nil {
				t.Fatal(ok, err)
			}
			must(t, w.Checkpoint())
			must(t, w.Checkpoint())
			if at%2 == 0 { // flush a byte that is not committed
				_, err := w.Write(data[at+k : min(at+k+1, len(data))])
				must(t, err)
				must(t, w.Flush())
				b, err := os.ReadFile(f.Name())
				must(t, err)
				fr, err := frame.Open(bytes.NewReader(b[offset:]), int64(len(b))-offset)
				must(t, err)
				committed, err := frame.Open(bytes.NewReader(b[offset:]), int64(len(b))-offset, frame.DropTail())
				must(t, err)
				if committed.Size() != int64(at+k) || fr.Size() != int64(min(at+k+1, len(data))) {
					t.Fatalf("%d bytes committed and one flushed, frames of %d and %d", at+k, committed.Size(), fr.Size())
				}
				at += min(1, len(data)-at-k)
			} else {
				b, err := os.ReadFile(f.Name())
				must(t, err)
				check(t, "checkpoint", b[offset:], data[:at+k])
				fr, err := frame.Open(bytes.NewReader(b[offset:]), int64(len(b))-offset)
				must(t, err)
				v, ok, err := fr.VLMeta("at")
				if string(v) != fmt.Sprint(at+k) || !ok || err != nil {
					t.Errorf("vlmetalayer %q, %v, %v", v, ok, err)
				}
				if _, ok, _ := fr.VLMeta("early"); ok != (at <= 9000) {
					t.Errorf("at %d: deleted vlmetalayer there: %v", at, ok)
				}
				if v, _ := fr.Metalayer("m"); string(v) != fmt.Sprintf("%02d", at%100) {
					t.Errorf("metalayer %q at %d", v, at)
				}
			}
		}
		must(t, w.Close())
		if !w.Sealed() {
			t.Error("not sealed")
		}
		b, err := os.ReadFile(f.Name())
		must(t, err)
		check(t, "after all", b[offset:], data)
	}
}

// A stream without data makes a frame without data that keeps its metalayers, even if the
// header was already written.
func TestEmpty(t *testing.T) {
	for _, flush := range []bool{false, true} {
		for _, sink := range []string{"file", "pipe", "spool"} {
			f := tempFile(t)
			var out io.Writer = f
			opts := []stream.WriterOption{stream.Metalayer("m", []byte("value"))}
			if sink != "file" {
				out = onlyWriter{f}
			}
			if sink == "spool" {
				opts = append(opts, stream.Spool(100))
			}
			w := newWriter(t, out, opts...)
			if flush {
				must(t, w.Flush())
			}
			must(t, w.SetVLMeta("v", []byte("after")))
			must(t, w.Close())
			if want := sink != "pipe" || !flush; w.Sealed() != want {
				t.Errorf("%s, flush %v: sealed %v", sink, flush, w.Sealed())
			}
			b, err := os.ReadFile(f.Name())
			must(t, err)
			check(t, sink, b, nil)
			for _, src := range []io.Reader{bytes.NewReader(b), io.MultiReader(bytes.NewReader(b))} {
				r, err := stream.NewReader(src)
				must(t, err)
				if v, ok := r.Metalayer("m"); !ok || string(v) != "value" {
					t.Errorf("%s, flush %v: metalayer %q", sink, flush, v)
				}
				if _, err := io.Copy(io.Discard, r); err != nil {
					t.Errorf("%s, flush %v: %v", sink, flush, err)
				}
				if v, ok, err := r.VLMeta("v"); !ok || string(v) != "after" || err != nil {
					t.Errorf("%s, flush %v: vlmetalayer %q, %v", sink, flush, v, err)
				}
			}
		}
	}
}

// Sixteen metalayers leave no space for the mark: such a frame requires a sink that can
// be patched, and can be read only by its index.
func TestSixteenMetalayers(t *testing.T) {
	var opts []stream.WriterOption
	for i := range 16 {
		opts = append(opts, stream.Metalayer(fmt.Sprint(i), bytes.Repeat([]byte{byte(i)}, i)))
	}
	f := tempFile(t)
	w := newWriter(t, f, append(opts, stream.ChunkSize(1000))...)
	data := numbers(10_500)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Flush())
	must(t, w.Close())
	b, err := os.ReadFile(f.Name())
	must(t, err)
	check(t, "sixteen metalayers", b, data)
	if _, err := readAll(t, io.MultiReader(bytes.NewReader(b)), stream.SpoolLimit(0, -1)); !errors.Is(err, blosc2.ErrNotSequential) {
		t.Errorf("walked without a mark: %v", err)
	}
	r, err := stream.NewReader(bytes.NewReader(b))
	must(t, err)
	for i := range 16 {
		if v, ok := r.Metalayer(fmt.Sprint(i)); !ok || !bytes.Equal(v, bytes.Repeat([]byte{byte(i)}, i)) {
			t.Errorf("metalayer %d: %x", i, v)
		}
	}
	must(t, r.Close())
	var held bytes.Buffer
	w = newWriter(t, &held, opts[:15]...)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	check(t, "fifteen metalayers", held.Bytes(), data)
}

// A metalayer can be changed as long as the header can be rewritten.
func TestUpdateMetalayer(t *testing.T) {
	for _, c := range []struct {
		name  string
		flush bool
		n     int
		ok    bool
	}{
		{"held back", false, 10_000, true}, {"released", true, 10_000, false}, {"overflown", false, 5 << 20, false}, {"before", false, 0, true},
	} {
		var buf bytes.Buffer
		w := newWriter(t, onlyWriter{&buf}, stream.Metalayer("m", []byte("old")), stream.ChunkSize(1<<16))
		data := noise(c.n)
		_, err := w.Write(data)
		must(t, err)
		if c.flush {
			must(t, w.Flush())
		}
		ok, err := framing.Rows(w).UpdateMetalayer("m", []byte("new"))
		if ok != c.ok || err != nil {
			t.Errorf("%s: %v, %v", c.name, ok, err)
		}
		if _, err := framing.Rows(w).UpdateMetalayer("m", []byte("longer")); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("another length: %v", err)
		}
		if c.name == "held back" { // write the held bytes, which have the new value
			more := noise(5 << 20)
			_, err = w.Write(more)
			must(t, err)
			data = append(data, more...)
		}
		must(t, w.Close())
		check(t, c.name, buf.Bytes(), data)
		r, err := stream.NewReader(&buf)
		must(t, err)
		if v, _ := r.Metalayer("m"); string(v) != map[bool]string{true: "new", false: "old"}[c.ok] {
			t.Errorf("%s: %q", c.name, v)
		}
		must(t, r.Close())
	}
}

// WriteChunk produces the same frame as Write.
func TestWriteChunk(t *testing.T) {
	data := numbers(10_000)
	want := compress(t, data, stream.ChunkSize(1000))
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(1000), stream.Workers(2))
	boom := errors.New("boom")
	for rest := data; len(rest) > 0; rest = rest[1000:] {
		if err := w.WriteChunk(func(c []byte) error { c[0] = 1; return boom }); err != boom {
			t.Fatal(err)
		}
		must(t, w.WriteChunk(func(c []byte) error {
			if copy(c, rest) != len(c) {
				t.Error("short of data")
			}
			return nil
		}))
	}
	must(t, w.Close())
	if !bytes.Equal(buf.Bytes(), want) {
		t.Error("other bytes than Write")
	}
}

// A Checkpoint of a frame in the middle of a file does not change the bytes after
// it.
func TestCheckpointInside(t *testing.T) {
	f := tempFile(t)
	around := noise(50_000)
	_, err := f.Write(around)
	must(t, err)
	_, err = f.Seek(700, io.SeekStart)
	must(t, err)
	w := newWriter(t, f, stream.ChunkSize(1000), stream.Metalayer("long", noise(600)))
	data := numbers(5000)
	for i := range 5 {
		_, err = w.Write(data[1000*i : 1000*i+1000])
		must(t, err)
		must(t, w.Checkpoint())
	}
	must(t, w.Close())
	b, err := os.ReadFile(f.Name())
	must(t, err)
	end := 700 + w.Stats().Stored
	if len(b) != len(around) || !bytes.Equal(b[:700], around[:700]) || !bytes.Equal(b[end:], around[end:]) {
		t.Error("bytes around the frame have changed")
	}
	got, err := readAll(t, bytes.NewReader(b[700:]), stream.AllowTrailing())
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
