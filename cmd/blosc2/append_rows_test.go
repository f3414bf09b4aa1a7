package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// Rows are appended to an array whose chunks are not in order, too, with the settings of the
// array. After a file with an error the array is what it was before; after a pipe it has the
// rows that arrived.
func TestAppendRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rows := func(n int) []byte {
		b := make([]byte, 8*n)
		for i := range b {
			b[i] = byte(r.IntN(9))
		}
		return b
	}
	for _, ordered := range []bool{true, false} {
		dir := t.TempDir()
		name, more := filepath.Join(dir, "a.b2nd"), filepath.Join(dir, "more")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		spec := b2nd.Spec{Shape: []int64{b2nd.Unknown, 8}, DType: "|u1", ChunkShape: []int64{100, 8}}
		w, err := b2nd.NewWriter(f, spec, stream.Level(1))
		if err != nil {
			t.Fatal(err)
		}
		want := rows(250)
		_, err = w.Write(want)
		if err := errors.Join(err, w.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if !ordered { // the first chunk grows, and moves to the end
			e, err := b2nd.EditFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 800 {
				want[i] = byte(r.Uint32())
			}
			err = e.SetSlice(want[:800], []int64{0, 0}, []int64{100, 8})
			if err := errors.Join(err, e.Commit(), e.Close()); err != nil {
				t.Fatal(err)
			}
		}
		add := func(b []byte, flags ...string) (int, string) {
			t.Helper()
			if err := os.WriteFile(more, b, 0o666); err != nil {
				t.Fatal(err)
			}
			return said(t, append([]string{"compress", "--append", "--shape=-1,8", "--dtype", "u1", "-o", name, more}, flags...)...)
		}
		added := rows(130)
		if status, text := add(added); status != 0 || !strings.Contains(text, "130 rows appended") || !strings.Contains(text, "now has 380") {
			t.Errorf("ordered: %t: %d, %s", ordered, status, text)
		}
		want = append(want, added...)
		if status, text := add(added, "-9"); ordered != (status == 0) || !ordered && !strings.Contains(text, "compact may put its chunks in order") {
			t.Errorf("ordered: %t, with -9: %d, %s", ordered, status, text)
		} else if ordered {
			want = append(want, added...)
		}

		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if status, text := add([]byte("part")); status != 1 || !strings.Contains(text, "too few items") {
			t.Errorf("ordered: %t, a file with a part of a row: %d, %s", ordered, status, text)
		}
		if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, before) {
			t.Errorf("ordered: %t, after a file with a part of a row: %d bytes, before it %d, or others, %v", ordered, len(after), len(before), err)
		}

		added = rows(1000)
		want = append(want, added...)
		pipe, input, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			input.Write(append(added, 1))
			input.Close()
		}()
		stderr, err := os.Create(filepath.Join(dir, "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		status := run([]string{"blosc2", "compress", "--append", "--shape=-1,8", "--dtype", "u1", "-o", name, "-"}, pipe, stderr, stderr)
		pipe.Close()
		stderr.Close()
		if text, err := os.ReadFile(stderr.Name()); err != nil || status != 1 || !strings.Contains(string(text), "too few items") || !strings.Contains(string(text), "; 1,000 rows of the input were appended") {
			t.Errorf("ordered: %t, a part of a row: %d, %s, %v", ordered, status, text, err)
		}

		a, err := b2nd.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 8*a.Shape()[0])
		err = a.ReadSlice(got, []int64{0, 0}, a.Shape())
		if err := errors.Join(err, a.Close()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("ordered: %t: %d rows, want %d, or others", ordered, len(got)/8, len(want)/8)
		}
	}
}
