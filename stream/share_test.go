package stream_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
)

// Workers that share the blocks of large chunks write the same bytes as a single
// worker, and read them back, for all kinds of chunks.
func TestShared(t *testing.T) {
	procs(t, 8)
	const size = 600 << 10
	delta, err := filters.Parse("delta,shuffle")
	must(t, err)
	half := append(noise(size), numbers(size)...)
	for name, data := range map[string][]byte{
		"numbers": numbers(2*size + 12345), "noise": noise(size + 1), "half": half[size/2 : size+size/2], "zeros": make([]byte, size),
	} {
		for _, opts := range [][]stream.WriterOption{
			{},
			{stream.Codec(blosc2.CodecZstd), stream.TypeSize(4)},
			{stream.Filters(delta)},
			{stream.Codec(blosc2.CodecBloscLZ), stream.TypeSize(7), stream.BlockSize(100_000)},
			{stream.Level(0)},
			{stream.Codec(blosc2.CodecZstd), stream.Dict()},
		} {
			opts = append(opts, stream.ChunkSize(size))
			want := compress(t, data, append(opts, stream.Workers(1))...)
			for _, memory := range []int64{1, 512 << 20} { // one chunk at a time, and all of them
				got := compress(t, data, append(opts, stream.Workers(8), stream.Memory(memory))...)
				if !bytes.Equal(got, want) {
					t.Errorf("%s: other bytes where chunks are shared", name)
				}
				back, err := readAll(t, io.MultiReader(bytes.NewReader(want)), stream.Workers(8), stream.Memory(memory))
				if err != nil || !bytes.Equal(back, data) {
					t.Errorf("%s: %d bytes of %d, %v", name, len(back), len(data), err)
				}
			}
		}
	}
}

// A fault in one block of a shared chunk is found, with the same error as by a
// single worker.
func TestSharedDamage(t *testing.T) {
	procs(t, 8)
	data := numbers(2 << 20)
	b := compress(t, data, stream.ChunkSize(1<<20), stream.Checks(false), stream.BlockSize(64<<10))
	found := 0
	for at := 1000; at < len(b); at += 777 {
		broken := bytes.Clone(b)
		broken[at] ^= 0x55
		one, err1 := readAll(t, bytes.NewReader(broken), stream.Workers(1))
		eight, err8 := readAll(t, bytes.NewReader(broken), stream.Workers(8))
		if !bytes.Equal(one, eight) || (err1 == nil) != (err8 == nil) {
			t.Fatalf("byte %d: one worker %d bytes, %v; eight %d, %v", at, len(one), err1, len(eight), err8)
		}
		var fe1, fe8 *blosc2.FormatError
		if errors.As(err1, &fe1) && errors.As(err8, &fe8) {
			if *fe1 != *fe8 {
				t.Fatalf("byte %d: %v, but with eight workers %v", at, err1, err8)
			}
			found++
		}
	}
	t.Logf("%d faults", found)
	if found == 0 {
		t.Error("no fault was found")
	}
}

// Chunks of a Write that are so large that it waits for them are compressed from
// the caller's memory, which may change as soon as Write returns.
func TestLargeWrites(t *testing.T) {
	procs(t, 4)
	const size = 16 << 20
	data := noise(2*size + 1000)
	want := compress(t, data, stream.ChunkSize(size), stream.Workers(1))
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(size), stream.Workers(4))
	for _, k := range []int{size, 10, size + 990} {
		p := bytes.Clone(data[:k])
		_, err := w.Write(p)
		must(t, err)
		clear(p)
		data = data[k:]
	}
	must(t, w.Close())
	if !bytes.Equal(buf.Bytes(), want) {
		t.Error("other bytes than one worker's")
	}
}
