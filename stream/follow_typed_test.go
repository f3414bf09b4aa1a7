package stream_test

import (
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// ReadSlice reads the items of a log while they are written, and to its end. Another type
// is an error, after which the Follower can be used.
func TestFollowSlice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f, err := stream.FollowFile(t.Context(), path)
	must(t, err)
	defer f.Close()
	w, err := stream.AppendFile(path)
	must(t, err)
	for i := range int16(1000) {
		_, err := stream.WriteSlice(w, []int16{i, -i})
		must(t, err)
		must(t, w.Flush())
		if i == 0 {
			h, err := f.Header()
			must(t, err)
			if v, ok := h.Layer(meta.DTypeName); !ok || string(v) != "\xa3<i2" || h.TypeSize != 2 {
				t.Errorf("%q, typesize %d", v, h.TypeSize)
			}
			var oe *blosc2.OptionError
			if n, err := stream.ReadSlice(f, make([]float64, 1)); n != 0 || !errors.As(err, &oe) {
				t.Errorf("another type: %d, %v", n, err)
			}
		}
		got := make([]int16, 2)
		if n, err := stream.ReadSlice(f, got); n != 2 || err != nil || got[0] != i || got[1] != -i {
			t.Fatalf("%v, %d, %v", got, n, err)
		}
	}
	_, err = stream.WriteSlice(w, []int16{7})
	must(t, err)
	must(t, w.Close())
	got := make([]int16, 2)
	if n, err := stream.ReadSlice(f, got); n != 1 || err != nil || got[0] != 7 {
		t.Errorf("the last item: %v, %d, %v", got, n, err)
	}
	if n, err := stream.ReadSlice(f, got); n != 0 || err != io.EOF {
		t.Errorf("after it: %d, %v", n, err)
	}
}

// A Follower of an empty log has no header, and ends.
func TestFollowSliceEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(path)
	must(t, err)
	must(t, w.Close())
	f, err := stream.FollowFile(t.Context(), path)
	must(t, err)
	defer f.Close()
	if n, err := stream.ReadSlice(f, make([]int16, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
}
