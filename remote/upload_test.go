package remote_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// small makes parts of 100,000 bytes.
var small = []remote.UploadOption{remote.PartSize(100_000)}

func upload(p *memParts, data []byte, opts ...stream.WriterOption) error {
	w, err := remote.Create(context.Background(), p, small, append(opts, stream.ChunkSize(64<<10))...)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return cmp.Or(w.Abort(err), err)
	}
	return w.Close()
}

// Frames and arrays that were put into a store part by part are read by this
// library and by both C libraries.
func TestUpload(t *testing.T) {
	libs := b2test.Oracles(t)
	for _, size := range []int{0, 1, 90_000, 100_000, 300_000, 2_000_000} {
		for _, rules := range []parts.Rules{{}, {Head: true}} {
			s := newMemStore()
			data := noise(size)
			p := s.put("frame")
			p.rules = rules
			if err := upload(p, data, stream.TypeSize(1)); err != nil {
				t.Fatal(size, err)
			}
			file, ok := s.get("frame")
			if !ok || s.uploads != 0 {
				t.Fatalf("%d bytes: no object, %d uploads left", size, s.uploads)
			}
			if n := len(p.order); slices.Index(p.order, 1) < n-3 || rules.Head && p.order[n-1] != 1 || n > 2 && len(p.parts[2]) != 100_000 && len(p.parts[3]) == 0 {
				t.Errorf("%d bytes: parts %v", size, p.order)
			}
			got, err := stream.Decompress(nil, file)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes: other data, or %v", size, err)
			}
			path := filepath.Join(t.TempDir(), "frame.b2frame")
			if err := os.WriteFile(path, file, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, lib := range libs {
				got, err := lib.Decode(t, "read-frame", path)
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes: C-Blosc2 %d: other data, or %v", size, lib.Major, err)
				}
			}
		}
	}
}

func TestUploadArray(t *testing.T) {
	libs := b2test.Oracles(t)
	for _, rows := range []int64{1000, b2nd.Unknown} {
		s := newMemStore()
		spec := b2nd.Spec{Shape: []int64{rows, 100}, DType: "<f8", ChunkShape: []int64{100, 100}}
		w, err := remote.CreateArray(t.Context(), s.put("array"), spec, small)
		if err != nil {
			t.Fatal(err)
		}
		data := noise(1000 * 100 * 8)
		if _, err := w.Write(data[:400_000]); err != nil {
			t.Fatal(err)
		}
		if err := w.Checkpoint(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Checkpoint: %v", err)
		}
		if _, err := w.Write(data[400_000:]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file, _ := s.get("array")
		a, err := b2nd.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("other items, or %v", err)
		}
		path := filepath.Join(t.TempDir(), "array.b2nd")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, lib := range libs {
			if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, data) {
				t.Errorf("C-Blosc2 %d: other items, or %v", lib.Major, err)
			}
		}
	}
}

// If any part fails, the upload is dropped, and the object does not change.
func TestUploadFails(t *testing.T) {
	data := noise(1_000_000)
	s := newMemStore()
	s.objects["frame"] = []byte("before")
	stays := func(what any) {
		t.Helper()
		if b, _ := s.get("frame"); string(b) != "before" || s.uploads != 0 {
			t.Errorf("%v: the object has %d bytes, %d uploads are left", what, len(b), s.uploads)
		}
	}
	whole := s.put("other")
	if err := upload(whole, data); err != nil {
		t.Fatal(err)
	}
	for n := -1; n <= len(whole.order); n++ {
		if n == 0 {
			continue
		}
		p := s.put("frame")
		p.failAt = n
		if err := upload(p, data); !errors.Is(err, errStore) {
			t.Errorf("part %d: %v", n, err)
		}
		stays(n)
	}
	away := errors.New("away")
	for what, end := range map[string]func(*remote.Writer, context.CancelCauseFunc) error{
		"abort":            func(w *remote.Writer, _ context.CancelCauseFunc) error { return w.Abort(away) },
		"close with error": func(w *remote.Writer, _ context.CancelCauseFunc) error { return w.CloseWithError(away) },
		"cancel": func(w *remote.Writer, cancel context.CancelCauseFunc) error {
			cancel(away)
			return w.Close()
		},
		"source": func(w *remote.Writer, _ context.CancelCauseFunc) error {
			if _, err := w.ReadFrom(io.MultiReader(bytes.NewReader(data), errReader{away})); !errors.Is(err, away) {
				t.Errorf("ReadFrom: %v", err)
			}
			return w.Close()
		},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		w, err := remote.Create(ctx, s.put("frame"), small)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := end(w, cancel); !errors.Is(err, away) {
			t.Errorf("%s: %v", what, err)
		}
		if err := w.Close(); !errors.Is(err, away) {
			t.Errorf("%s: Close again: %v", what, err)
		}
		cancel(nil)
		stays(what)
	}
	if _, err := remote.Create(t.Context(), s.put("frame"), small, stream.Level(99)); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("an impossible option: %v", err)
	}
	stays("option")
	// An array that is not complete leaves no object.
	w, err := remote.CreateArray(t.Context(), s.put("frame"), b2nd.Spec{Shape: []int64{100, 100}, DType: "<f8"}, small)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data[:1000]); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an array that is not complete: %v", err)
	}
	stays("array")
}

// If the parts of a failed upload cannot be dropped, the error wraps both causes in one
// line, and says what drops them.
func TestPartsRemain(t *testing.T) {
	s := newMemStore()
	p := s.put("frame")
	p.failAt, p.stays = 2, errors.New("no answer")
	err := upload(p, noise(500_000))
	if !errors.Is(err, errStore) || !errors.Is(err, p.stays) || !errors.Is(err, remote.ErrPartsRemain) {
		t.Errorf("the error wraps another: %v", err)
	}
	if text := fmt.Sprint(err); strings.Contains(text, "\n") || !strings.Contains(text, "part 2: ") || !strings.Contains(text, "blosc2 uploads --remove") {
		t.Errorf("%q", text)
	}
	p = s.put("frame")
	p.failAt = 2
	if err := upload(p, noise(500_000)); !errors.Is(err, errStore) || errors.Is(err, remote.ErrPartsRemain) {
		t.Errorf("with an Abort that succeeds: %v", err)
	}
}

type errReader struct{ error }

func (r errReader) Read([]byte) (int, error) { return 0, r.error }

func TestUploadCheckpoint(t *testing.T) {
	s := newMemStore()
	w, err := remote.Create(t.Context(), s.put("frame"), small)
	if err != nil {
		t.Fatal(err)
	}
	data := noise(500_000)
	for i := range 5 {
		if _, err := w.Write(data[i*100_000 : (i+1)*100_000]); err != nil {
			t.Fatal(err)
		}
		if err := w.Checkpoint(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Checkpoint: %v", err)
		}
		if err := w.Flush(); err != nil {
			t.Error(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, _ := s.get("frame")
	if got, err := stream.Decompress(nil, file); err != nil || !bytes.Equal(got, data) {
		t.Errorf("other data, or %v", err)
	}
	// A Flush before any data is allowed.
	if w, err = remote.Create(t.Context(), s.put("empty"), small); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || !w.Sealed() {
		t.Fatal(err, w.Sealed())
	}
	file, _ = s.get("empty")
	if got, err := stream.Decompress(nil, file); err != nil || len(got) > 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// At most three parts are in memory. Two of them are put at the same time while more is
// written. All parts have the same size unless the store accepts other sizes.
func TestUploadParts(t *testing.T) {
	s := newMemStore()
	p := s.put("a")
	p.slow = time.Millisecond
	p.rules = parts.Rules{Count: 100}
	u, err := remote.NewUpload(t.Context(), p, remote.PartSize(1000))
	if err != nil {
		t.Fatal(err)
	}
	data := noise(30_500)
	for b := range slices.Chunk(data, 777) {
		if _, err := u.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := u.WriteAt([]byte("header"), 0); err != nil {
		t.Fatal(err)
	}
	for _, off := range []int64{-1, 995, 1000, 30_499, 30_500, 40_000} {
		if _, err := u.WriteAt([]byte("header"), off); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("WriteAt at %d: %v", off, err)
		}
	}
	if _, err := u.Seek(5, io.SeekStart); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Seek: %v", err)
	}
	p.mu.Lock()
	if p.top != 2 {
		t.Errorf("%d parts at the same time, without the first", p.top)
	}
	p.mu.Unlock()
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Write(data); !errors.Is(err, blosc2.ErrClosed) {
		t.Errorf("Write after Close: %v", err)
	}
	copy(data, "header")
	if got, _ := s.get("a"); !bytes.Equal(got, data) {
		t.Error("other bytes")
	}
	if p.top > 3 {
		t.Errorf("%d parts at the same time", p.top)
	}
	for n := 1; n <= 30; n++ {
		if len(p.parts[n]) != 1000 {
			t.Errorf("part %d has %d bytes", n, len(p.parts[n]))
		}
	}

	// Data that exceed the store's number of parts result in an error.
	p = s.put("b")
	p.rules = parts.Rules{Count: 10}
	if u, err = remote.NewUpload(t.Context(), p, remote.PartSize(1000)); err != nil {
		t.Fatal(err)
	}
	if n, err := u.Write(data); !errors.Is(err, blosc2.ErrTooLarge) || n != 10_000 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := u.Close(); !errors.Is(err, blosc2.ErrTooLarge) || s.uploads != 0 {
		t.Errorf("%v, %d uploads", err, s.uploads)
	}
	for _, tt := range []struct {
		rules  parts.Rules
		expect int64
	}{{parts.Rules{Count: 10, Grow: true}, 0}, {parts.Rules{Count: 10}, 30_500}} {
		p = s.put("c")
		p.rules = tt.rules
		if u, err = remote.NewUpload(t.Context(), p, remote.PartSize(1000), remote.Expect(tt.expect)); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Write(data); err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
		if err := u.Close(); err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
		if got, _ := s.get("c"); !bytes.Equal(got, data) {
			t.Errorf("%+v: other bytes", tt)
		}
	}
}

// Objects put into a store are read from it.
func TestUploadAndOpen(t *testing.T) {
	s := newMemStore()
	srv := httptest.NewServer(s)
	defer srv.Close()
	data := noise(1000 * 100 * 8)
	spec := b2nd.Spec{Shape: []int64{1000, 100}, DType: "<f8", ChunkShape: []int64{100, 100}, BlockShape: []int64{10, 100}}
	w, err := remote.CreateArray(t.Context(), s.put("array"), spec, small)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o, err := remote.Open(t.Context(), srv.URL+"/array", remote.Client(srv.Client()))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	a, err := b2nd.Open(o, o.Size())
	if err != nil {
		t.Fatal(err)
	}
	opened := o.Stats()
	if opened.Requests != 2 {
		t.Errorf("opening took %+v", opened)
	}
	got := make([]byte, 8*100)
	if err := a.ReadSlice(got, []int64{555, 0}, []int64{556, 100}); err != nil || !bytes.Equal(got, data[555*800:556*800]) {
		t.Errorf("other items, or %v", err)
	}
	if stats := o.Stats(); stats.Requests > 2+2 || stats.Bytes-opened.Bytes > 8000+64<<10 {
		t.Errorf("opening took %+v, with a block %+v", opened, stats)
	}
	r, err := stream.NewReader(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, r); err != nil || n < int64(len(data)) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := remote.Open(t.Context(), srv.URL+"/nothing", remote.Client(srv.Client())); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
