package stream

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// Values of vlmetalayers survive a round trip through a pipe and a file, and
// C-Blosc2 reads the msgpack that Python expects.
func TestVLMetaValue(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)
	values := map[string]struct{ in, out any }{
		"nil": {nil, nil}, "note": {"hello", "hello"}, "gain": {2.5, 2.5}, "n": {7, int64(7)}, "at": {at, at},
		"list": {[]string{"a", "b"}, []any{"a", "b"}}, "map": {map[string]int{"x": 1}, meta.Map{{Key: "x", Value: int64(1)}}},
		"json": {json.RawMessage(`{"k": [1, null]}`), meta.Map{{Key: "k", Value: []any{int64(1), nil}}}},
	}
	var pipe bytes.Buffer
	w, err := NewWriter(&pipe, TypeSize(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range values {
		if err := w.SetVLMetaValue(name, v.in); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.SetVLMetaValue("bad", make(chan int)); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
	_, err = io.WriteString(w, "some data")
	if err := errors.Join(err, w.SetVLMeta("raw", []byte("hello")), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := w.SetVLMetaValue("late", 1); !errors.Is(err, blosc2.ErrClosed) {
		t.Error(err)
	}
	type source interface {
		VLMetaValue(string) (any, bool, error)
	}
	check := func(s source) {
		t.Helper()
		for name, want := range values {
			if v, ok, err := s.VLMetaValue(name); !ok || err != nil || !reflect.DeepEqual(v, want.out) {
				t.Errorf("%s: %#v, %v, %v", name, v, ok, err)
			}
		}
		if v, ok, err := s.VLMetaValue("raw"); v != nil || !ok || !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("raw: %v, %v, %v", v, ok, err)
		}
		if v, ok, err := s.VLMetaValue("none"); v != nil || ok || err != nil {
			t.Errorf("none: %v, %v, %v", v, ok, err)
		}
	}
	r, err := NewReader(io.MultiReader(bytes.NewReader(pipe.Bytes())))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Fatal(err)
	}
	check(r)
	r.Close()
	path := filepath.Join(t.TempDir(), "f.b2frame")
	if err := os.WriteFile(path, pipe.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := frame.SealFile(path); err != nil {
		t.Fatal(err)
	}
	e, err := frame.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	values["n"] = struct{ in, out any }{8, int64(8)}
	if err := errors.Join(e.SetVLMetaValue("n", 8), e.Commit(), e.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	check(f)
	for _, lib := range b2test.Oracles(t) {
		var info struct {
			VLMetalayers []struct{ Name, Content string }
		}
		if err := json.Unmarshal(lib.Run(t, "info", path), &info); err != nil || len(info.VLMetalayers) != len(values)+1 {
			t.Fatal(info, err)
		}
		for _, l := range info.VLMetalayers {
			want := []byte("hello")
			if v, ok := values[l.Name]; ok {
				if want, err = meta.Encode(nil, v.in); err != nil {
					t.Fatal(err)
				}
			}
			if l.Content != hex.EncodeToString(want) {
				t.Errorf("version %d: %s is %s, want %x", lib.Major, l.Name, l.Content, want)
			}
		}
	}
}
