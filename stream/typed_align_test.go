package stream_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// After a Write that ends within an item WriteSlice is an error until the item is
// complete, also in the next run of a program.
func TestWriteSliceWithinItem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	refused := func(w *stream.FileWriter) {
		t.Helper()
		n, err := stream.WriteSlice(w, []int32{2})
		var oe *blosc2.OptionError
		if n != 0 || !errors.As(err, &oe) {
			t.Errorf("%d, %v", n, err)
		}
	}
	w, err := stream.AppendFile(path, stream.Items[int32]())
	must(t, err)
	_, err = stream.WriteSlice(w, []int32{1})
	must(t, err)
	_, err = w.Write([]byte{2})
	must(t, err)
	refused(w)
	must(t, w.Close())
	w, err = stream.AppendFile(path)
	must(t, err)
	refused(w)
	_, err = w.Write([]byte{0, 0, 0})
	must(t, err)
	_, err = stream.WriteSlice(w, []int32{3})
	must(t, err)
	must(t, w.Close())
	r, err := stream.OpenFile(path)
	must(t, err)
	defer r.Close()
	got := make([]int32, 4)
	if n, err := stream.ReadSlice(r, got); n != 3 || err != nil || got[0] != 1 || got[1] != 2 || got[2] != 3 {
		t.Errorf("%v, %d, %v", got, n, err)
	}
}

// A protocol may send messages of any length and items over a Conn.
func TestConnMixesBytesAndItems(t *testing.T) {
	a, b := pipes(t)
	done := make(chan error, 1)
	go func() {
		_, err := a.Write([]byte("hello"))
		_, serr := stream.WriteSlice(a, []float64{1, 2})
		done <- errors.Join(err, serr)
	}()
	head, got := make([]byte, 5), make([]float64, 2)
	_, err := io.ReadFull(b, head)
	must(t, err)
	if n, err := stream.ReadSlice(b, got); n != 2 || err != nil || !bytes.Equal(head, []byte("hello")) || got[1] != 2 {
		t.Errorf("%q, %v, %d, %v", head, got, n, err)
	}
	must(t, <-done)
	go io.Copy(io.Discard, b)
	must(t, a.Close())
	b.Close() // may return an error, because a is closed
}
