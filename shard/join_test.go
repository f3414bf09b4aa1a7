package shard_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shard"
)

func TestStack(t *testing.T) {
	spec := b2nd.Spec{Shape: []int64{25, 7, 3}, DType: "<f4", ChunkShape: []int64{5, 4, 3}, BlockShape: []int64{2, 4, 2}}
	const row = 7 * 3 * 4
	data := numbers(25 * row)
	open := func(file []byte) *b2nd.Array {
		a, err := b2nd.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	part := func(from, to int64) *b2nd.Array {
		s := spec
		s.Shape = []int64{to - from, 7, 3}
		return open(wholeArray(t, s, data[from*row:to*row]))
	}
	path := filepath.Join(t.TempDir(), "out.b2nd")
	stack := func(arrays ...*b2nd.Array) error {
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		return shard.Stack(file, arrays)
	}
	if err := stack(part(0, 5), part(5, 5), part(5, 20), part(20, 25)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, path), wholeArray(t, spec, data)) {
		t.Error("other bytes than those of one array")
	}

	var zeros bytes.Buffer // its chunks are stored only as entries of the index
	s := spec
	s.Shape = []int64{10, 7, 3}
	if err := b2nd.Zeros(&zeros, s); err != nil {
		t.Fatal(err)
	}
	if err := stack(part(0, 5), open(zeros.Bytes()), part(5, 8)); err != nil {
		t.Fatal(err)
	}
	want := append(append(bytes.Clone(data[:5*row]), make([]byte, 10*row)...), data[5*row:8*row]...)
	for _, lib := range b2test.Oracles(t) {
		if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("C-Blosc2 %d: %d bytes, %v", lib.Major, len(got), err)
		}
	}

	s.ChunkShape = []int64{5, 7, 3}
	if err := stack(part(0, 5), open(wholeArray(t, s, data[:10*row]))); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("another chunkshape: %v", err)
	}
	if err := stack(part(0, 4), part(4, 25)); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("no whole rows of chunks: %v", err)
	}
	if err := stack(); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("no arrays: %v", err)
	}
}
