package stream_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// addFile appends data to a frame with ReadFrom, and returns what was chosen and the
// frame's header.
func addFile(t *testing.T, file string, data []byte, opts ...stream.WriterOption) (tune.Pick, *header.Header) {
	t.Helper()
	w, err := stream.AppendFile(file, opts...)
	must(t, err)
	_, err = w.ReadFrom(bytes.NewReader(data))
	must(t, err)
	must(t, w.Close())
	f, err := frame.OpenFile(file)
	must(t, err)
	defer f.Close()
	return w.Chosen(), f.Header()
}

// chunkBytes returns the number of bytes of all chunks of a frame.
func chunkBytes(t *testing.T, file string) (n int) {
	t.Helper()
	f, err := frame.OpenFile(file)
	must(t, err)
	defer f.Close()
	for i := range f.NumChunks() {
		h, err := f.ChunkHeader(i)
		must(t, err)
		n += h.CBytes
	}
	return n
}

// The bytes that are in the first chunk already stay as they are while its memory is touched.
func TestAppendAutoHeld(t *testing.T) {
	procs(t, 2)
	const before = 600_000
	data := bytes.Repeat([]byte("012345678"), (before+8<<20)/9)
	file := filepath.Join(t.TempDir(), "x")
	for _, part := range [][]byte{data[:before], data[before:]} {
		addFile(t, file, part, stream.ItemSize(8), stream.Auto(tune.Balanced))
	}
	check(t, "appended", mustRead(t, file), data)
}

// With Auto a frame that began with a few bytes becomes about as small as one that is
// written at once, the header says how, and C-Blosc2 reads it.
func TestAppendAuto(t *testing.T) {
	libs := b2test.Oracles(t)
	data := append(b2test.Real(t, "nab-records.16"), b2test.Real(t, "era-geopotential.f4")[:2<<20]...)
	for _, aim := range []tune.Aim{tune.Balanced, tune.WAN} {
		file := filepath.Join(t.TempDir(), "x")
		var want []byte
		for _, size := range []int{96, len(data), 96, 96} {
			pick, h := addFile(t, file, data[:size], stream.TypeSize(8), stream.Auto(aim))
			want = append(want, data[:size]...)
			if p := pick.Params; size > 96 && pick.Ratio == 0 || h.Codec != p.Codec || int(h.Level) != p.Level || h.Filters != p.Filters {
				t.Errorf("%v: chosen %v, but the header says %v %d %v", aim, pick, h.Codec, h.Level, h.Filters)
			}
		}
		whole := filepath.Join(t.TempDir(), "whole")
		addFile(t, whole, want, stream.TypeSize(8), stream.Auto(aim))
		if n, most := chunkBytes(t, file), chunkBytes(t, whole); n > most*101/100 {
			t.Errorf("%v: chunks of %d bytes, %d if written at once", aim, n, most)
		}
		check(t, aim.String(), mustRead(t, file), want)
		for _, lib := range libs {
			if got, err := lib.Decode(t, "read-frame", file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: C-Blosc2 %d reads other bytes, or %v", aim, lib.Major, err)
			}
		}
	}
}

// A log that grows by a few bytes at a time keeps its settings, and is searched only when it
// has become four times as long.
func TestAppendAutoFew(t *testing.T) {
	data := b2test.Real(t, "nab-records.16")[:64<<10]
	file := filepath.Join(t.TempDir(), "x")
	searches := 0
	for n := 0; n < len(data); n += 256 {
		pick, h := addFile(t, file, data[n:n+256], stream.TypeSize(16), stream.Auto(tune.WAN))
		switch {
		case pick.Ratio > 0:
			searches++
		case h.Filters != pick.Params.Filters || searches > 0 && h.Filters == filters.Default():
			t.Fatalf("after %d bytes: %v, header %v", n, pick, h.Filters)
		}
	}
	if searches < 2 || searches > 4 {
		t.Errorf("%d searches", searches)
	}
	check(t, "log", mustRead(t, file), data)
}

// The options of Append apply to new chunks, and then are in the header.
func TestAppendOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	data := numbers(2000)
	must(t, os.WriteFile(file, compress(t, data, stream.ChunkSize(1000)), 0o666))
	addFile(t, file, data[:1000], stream.Codec(blosc2.CodecZstd), stream.Level(9))
	_, h := addFile(t, file, data[:1000])
	if h.Codec != blosc2.CodecZstd || h.Level != 9 {
		t.Errorf("header: %v %d", h.Codec, h.Level)
	}
	f, err := frame.OpenFile(file)
	must(t, err)
	defer f.Close()
	for i, want := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecLZ4, blosc2.CodecZstd, blosc2.CodecZstd} {
		if h, err := f.ChunkHeader(int64(i)); err != nil || h.Codec != want {
			t.Errorf("chunk %d: %v, %v", i, h.Codec, err)
		}
	}
}
