package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Frames of every kind are continued repeatedly, and read by both libraries in
// between.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	libs := b2test.Oracles(t)
	start := numbers(25_000)
	genuine := filepath.Join(dir, "genuine")
	must(t, os.WriteFile(genuine+".in", start, 0o666))
	libs[0].Run(t, "write-frame", "--codec", "zstd", "--typesize", "4", "--chunksize", "7000", "--metalayer", "m:=00", genuine+".in", genuine)
	theirs, err := os.ReadFile(genuine)
	must(t, err)
	empty := compress(t, nil, stream.ChunkSize(5000))
	for name, c := range map[string]struct {
		frame, data []byte
		walkable    bool
	}{
		"ours":      {compress(t, start, stream.ChunkSize(7000)), start, true},
		"unchecked": {compress(t, start, stream.ChunkSize(7000), stream.Checks(false), stream.TypeSize(4)), start, true},
		"whole":     {compress(t, start[:21_000], stream.ChunkSize(7000)), start[:21_000], true},
		"unsealed":  {flushed(t, start, 7000), start, true},
		"torn tail": {append(compress(t, start, stream.ChunkSize(7000)), "\x05\x01\x07\x04 and torn"...), start, true},
		"theirs":    {theirs, start, false},
		"empty":     {empty, nil, false},
	} {
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, c.frame, 0o666))
		want := bytes.Clone(c.data)
		for i, k := range []int{0, 1, 6999, 20_000, 3, 0, 7000} {
			w, err := stream.AppendFile(file, stream.Workers(1+i%2))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if n := w.Offset(); n != int64(len(want)) {
				t.Errorf("%s: opened at %d, has %d bytes", name, n, len(want))
			}
			more := noise(k)
			_, err = w.Write(more)
			must(t, err)
			if n := w.Offset(); n != int64(len(want)+k) {
				t.Errorf("%s: at %d after %d bytes", name, n, len(want)+k)
			}
			if i == 3 {
				must(t, w.Checkpoint())
				_, err = w.Write(more)
				must(t, err)
				want = append(want, more...)
				must(t, w.SetVLMeta("n", fmt.Append(nil, i)))
			}
			want = append(want, more...)
			must(t, w.Close())
			must(t, w.Close())
			if !w.Sealed() {
				t.Errorf("%s: not sealed", name)
			}
			b, err := os.ReadFile(file)
			must(t, err)
			check(t, fmt.Sprint(name, " with ", k, " bytes more"), b, want)
			_, err = readAll(t, io.MultiReader(bytes.NewReader(b)), stream.SpoolLimit(0, -1))
			if walked := err == nil; walked != c.walkable && len(c.data) > 0 {
				t.Errorf("%s: walked %v, %v", name, walked, err)
			}
			for _, lib := range libs {
				if len(want) == 0 {
					continue // the program has no file to write
				}
				got, err := lib.Decode(t, "read-frame", file)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s with %d bytes more: library %d read %d bytes of %d, %v", name, k, lib.Major, len(got), len(want), err)
				}
			}
		}
		f, err := frame.OpenFile(file)
		must(t, err)
		if v, ok, err := f.VLMeta("n"); !ok || string(v) != "3" || err != nil {
			t.Errorf("%s: vlmetalayer %q, %v", name, v, err)
		}
		must(t, f.Close())
	}
}

// A Writer that continues a frame cannot change the frame's settings, and frames
// that cannot be continued are errors.
func TestAppendRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	b := compress(t, numbers(1500), stream.ChunkSize(1000), stream.Metalayer("a", nil))
	must(t, os.WriteFile(file, b, 0o666))
	for option, o := range map[string]stream.WriterOption{
		"typesize": stream.TypeSize(4), "chunk size": stream.ChunkSize(8), "blocksize": stream.BlockSize(64), "spool": stream.Spool(1),
		"metalayers": stream.Metalayer("b", nil), "layout": stream.Layout2019(), "threads": stream.Threads(1, 1), "level": stream.Level(11),
	} {
		_, err := stream.AppendFile(file, o)
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != option {
			t.Errorf("%s: %v", option, err)
		}
	}
	lossy, err := filters.Parse("trunc_prec:10,shuffle")
	must(t, err)
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"another frame after it": {append(bytes.Clone(b), b...), blosc2.ErrUnsupported},
		"lossy":                  {compress(t, numbers(1500), stream.ChunkSize(1000), stream.Filters(lossy)), blosc2.ErrUnsupported},
		"2019":                   {compress(t, numbers(1500), stream.Layout2019()), blosc2.ErrUnsupported},
	} {
		must(t, os.WriteFile(file, c.b, 0o666))
		if _, err := stream.AppendFile(file); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, c.b) {
			t.Errorf("%s: the file has changed, %v", name, err)
		}
	}
	must(t, os.WriteFile(file, b, 0o666))
	w, err := stream.AppendFile(file)
	must(t, err)
	if _, err := stream.AppendFile(file); err == nil {
		t.Error("two writers at once")
	}
	must(t, w.Close())
}

// A frame without data that receives none remains empty, and can be changed.
func TestAppendNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	var early bytes.Buffer
	w := newWriter(t, &early, stream.Metalayer("m", []byte("old")))
	must(t, w.Flush())
	must(t, w.Close())
	for name, b := range map[string][]byte{"sealed": compress(t, nil, stream.Metalayer("m", []byte("old"))), "unsealed": early.Bytes()} {
		must(t, os.WriteFile(file, b, 0o666))
		w, err := stream.AppendFile(file)
		must(t, err)
		must(t, w.SetVLMeta("v", []byte("after")))
		if ok, err := framing.Rows(w.Writer).UpdateMetalayer("m", []byte("new")); !ok || err != nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		must(t, w.Close())
		f, err := frame.OpenFile(file)
		must(t, err)
		v, _, err := f.VLMeta("v")
		must(t, err)
		if m, _ := f.Metalayer("m"); f.Size() != 0 || f.Order() == frame.Unsealed || string(m) != "new" || string(v) != "after" {
			t.Errorf("%s: %d bytes, metalayer %q, vlmetalayer %q", name, f.Size(), m, v)
		}
		must(t, f.Close())
		for _, lib := range b2test.Oracles(t) {
			if info, err := lib.RunErr("info", file); err != nil || !bytes.Contains(info, []byte("6e6577")) {
				t.Errorf("%s: library %d: %v", name, lib.Major, err)
			}
		}
	}
}

// The layout of 2019 survives a round trip, and its header states the layout.
func TestLayout2019(t *testing.T) {
	data := noise(5 << 20) // more than is held in memory
	for _, n := range []int{0, 100, 3000, len(data)} {
		for _, sink := range []string{"file", "pipe"} {
			f := tempFile(t)
			var out io.Writer = f
			if sink == "pipe" {
				out = onlyWriter{f}
			}
			w := newWriter(t, out, stream.Layout2019(), stream.ChunkSize(1000+n/5), stream.TypeSize(4))
			_, err := w.Write(data[:n])
			must(t, err)
			must(t, w.Flush())
			must(t, w.Checkpoint())
			if err := w.SetVLMeta("v", []byte("x")); !errors.Is(err, blosc2.ErrOption) {
				t.Errorf("vlmetalayer: %v", err)
			}
			must(t, w.Close())
			if !w.Sealed() {
				t.Errorf("%d bytes into a %s: not sealed", n, sink)
			}
			b, err := os.ReadFile(f.Name())
			must(t, err)
			check(t, "2019", b, data[:n])
		}
	}
}

// The power fails at any time while a frame is continued: any of the changes since the
// last fsync may be missing, and the last may be torn at any sector. The file holds the
// last committed state or, once a commit has begun, possibly the next one.
func TestAppendPowerCut(t *testing.T) {
	start := noise(2500)
	for name, opts := range map[string][]stream.WriterOption{
		"short header": nil, "long header": {stream.Metalayer("long", noise(700))},
	} {
		b := compress(t, start, append(opts, stream.ChunkSize(1000))...)
		d := &disk{b: bytes.Clone(b)}
		w, err := stream.Append(d, int64(len(b)), stream.Workers(1))
		must(t, err)
		states := [][]byte{start}
		for i := range 3 {
			more := numbers(700 * (i + 1))
			_, err := w.Write(more)
			must(t, err)
			must(t, w.Flush())
			must(t, w.Checkpoint())
			states = append(states, append(bytes.Clone(states[i]), more...))
		}
		must(t, w.Close())
		count := 0
		durable, pending := &disk{b: bytes.Clone(b)}, []change{}
		least := 0 // states[least] is the last durable state
		for _, c := range d.log {
			if c.sync {
				for _, p := range pending {
					durable.apply(p)
				}
				pending = pending[:0]
				if h, err := frame.Open(bytes.NewReader(durable.b), int64(len(durable.b)), frame.DropTail()); err == nil {
					least = max(least, slices.IndexFunc(states, func(s []byte) bool { return int64(len(s)) == h.Size() }))
				}
				continue
			}
			for cut := 0; cut <= len(c.b); cut += 512 - int(c.off+int64(cut))%512 {
				for skip := -1; skip < len(pending); skip++ {
					after := &disk{b: bytes.Clone(durable.b)}
					for i, p := range pending {
						if i != skip {
							after.apply(p)
						}
					}
					if c.b != nil {
						after.apply(change{off: c.off, b: c.b[:cut]})
					}
					got, err := readAll(t, bytes.NewReader(after.b))
					if f, openErr := frame.Open(bytes.NewReader(after.b), int64(len(after.b))); openErr == nil && f.Lost() != nil && err.Error() == f.Lost().Error() {
						err = nil // the error reports loss of data that were flushed and not committed
					}
					if err != nil || !bytes.HasPrefix(got, states[least]) || !bytes.HasPrefix(states[3], got) {
						t.Fatalf("%s: after %d of %d bytes at %d, state %d: %d bytes, %v", name, cut, len(c.b), c.off, least, len(got), err)
					}
					count++
				}
			}
			pending = append(pending, c)
		}
		if least != 3 {
			t.Errorf("%s: state %d at the end", name, least)
		}
		t.Logf("%s: %d places", name, count)
	}
}

// AppendFile continues a file in any state: missing, empty, truncated anywhere,
// flushed, committed or closed.
func TestAppendFileAnyState(t *testing.T) {
	dir := t.TempDir()
	opts := []stream.WriterOption{stream.ChunkSize(1000), stream.Workers(1), stream.Metalayer("m", []byte("1"))}
	data, more := numbers(5300), noise(1700)
	goOn := func(name string, b []byte, flushed []byte) {
		t.Helper()
		path := filepath.Join(dir, "x")
		os.Remove(path)
		if b != nil {
			must(t, os.WriteFile(path, b, 0o666))
		}
		w, err := stream.AppendFile(path, opts...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, err = w.Write(more)
		must(t, err)
		must(t, w.Close())
		got, err := readAll(t, bytes.NewReader(mustRead(t, path)))
		kept := len(got) - len(more)
		if err != nil || kept < len(flushed) || !bytes.Equal(got[:kept], data[:kept]) || !bytes.Equal(got[kept:], more) {
			t.Fatalf("%s: %d bytes: %v", name, len(got), err)
		}
	}
	goOn("missing", nil, nil)
	goOn("empty", []byte{}, nil)

	path := filepath.Join(dir, "log")
	f, err := os.Create(path)
	must(t, err)
	w := newWriter(t, f, opts...)
	for i, step := range []int{0, 300, 900, 1000, 2500, 5300} {
		if i > 0 {
			_, err := w.Write(data[w.Stats().Bytes:step])
			must(t, err)
		}
		must(t, w.Flush())
		goOn(fmt.Sprint("flushed ", step), mustRead(t, path), data[:step])
		if i%2 == 1 {
			must(t, w.Checkpoint())
			goOn(fmt.Sprint("committed ", step), mustRead(t, path), data[:step])
		}
	}
	must(t, w.Close())
	b := mustRead(t, path)
	goOn("closed", b, data)
	must(t, f.Close())

	// A frame from a pipe is truncated at every offset.
	var pipe bytes.Buffer
	w = newWriter(t, struct{ io.Writer }{&pipe}, opts...)
	for at := 0; at < len(data); at += 800 {
		_, err := w.Write(data[at:min(at+800, len(data))])
		must(t, err)
		must(t, w.Flush())
	}
	must(t, w.Close())
	b = pipe.Bytes()
	for n := 0; n <= len(b); n += 7 {
		goOn(fmt.Sprint("cut at ", n), b[:n], nil)
	}
	goOn("not cut", b, data)
}

// A frame that holds an array is an error: appended bytes would make it unreadable.
func TestAppendRefusesArray(t *testing.T) {
	value, err := (&meta.B2ND{Shape: []int64{2}, ChunkShape: []int32{2}, BlockShape: []int32{2}, DType: "<f8"}).Append(nil)
	must(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "a.b2nd"))
	must(t, err)
	defer file.Close()
	w, err := stream.NewWriter(file, stream.TypeSize(8), stream.ChunkSize(16), stream.Metalayer(meta.B2NDName, value))
	must(t, err)
	_, err = w.Write(make([]byte, 16))
	must(t, err)
	must(t, w.Close())
	before, err := os.ReadFile(file.Name())
	must(t, err)
	if _, err := stream.AppendFile(file.Name(), stream.TypeSize(8)); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("AppendFile: %v", err)
	}
	if after, err := os.ReadFile(file.Name()); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the file has changed: %v", err)
	}
}
