package stream

import (
	"bytes"
	"io"
	"os"
	"testing"
)

func TestQuick(t *testing.T) {
	data := make([]byte, 5<<20+12345)
	for i := range data {
		data[i] = byte(i / 8 >> (i % 8))
	}
	for _, workers := range []int{1, 2} {
		var buf bytes.Buffer
		f, _ := os.Create(t.TempDir() + "/x")
		for i, sink := range []io.Writer{&buf, f} {
			w, err := NewWriter(sink, Workers(workers))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(data); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			t.Log(w.Stats(), w.Sealed())
			f.Seek(0, 0)
			for j, src := range []io.Reader{bytes.NewReader(buf.Bytes()), io.MultiReader(bytes.NewReader(buf.Bytes())), f} {
				if i == 0 && j == 2 {
					continue
				}
				r, err := NewReader(src, Workers(workers))
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(got, data) {
					t.Fatal(i, j, err, len(got))
				}
				t.Log(r.Stats())
			}
		}
	}
}
