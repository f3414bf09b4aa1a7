package b2nd_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// The same mistake causes the same error in all packages.
func TestMisuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.b2nd")
	spec, err := b2nd.SpecOf[float32](3, 4)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.CreateFile(path, spec, stream.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.WriteSlice(w.Writer, make([]float32, 12)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src := func() *bytes.Reader { return bytes.NewReader(b) }
	size := int64(len(b))

	a, err := b2nd.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := frame.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Close(), f.Close(), e.Close()); err != nil {
		t.Fatal(err)
	}
	be, err := b2nd.EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := be.Close(); err != nil {
		t.Fatal(err)
	}
	sw, err := stream.NewWriter(io.Discard, stream.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	sr, err := stream.NewReader(src(), stream.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(sw.Close(), sr.Close()); err != nil {
		t.Fatal(err)
	}
	nothing := func(_ any, err error) error { return err }
	for what, err := range map[string]error{
		"b2nd.Array":  nothing(a.ReadAll()),
		"frame.File":  nothing(f.Chunk(nil, 0)),
		"frame.Edit":  e.Update(0, nil),
		"b2nd.Edit":   be.Resize([]int64{4, 4}),
		"b2nd.Write":  nothing(w.Write(make([]byte, 4))),
		"b2nd.Flush":  w.Flush(),
		"stream":      nothing(sw.Write(b)),
		"stream.Read": nothing(sr.Read(make([]byte, 1))),
	} {
		if !errors.Is(err, blosc2.ErrClosed) {
			t.Errorf("%s after Close: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"b2nd.Open":        nothing(b2nd.Open(src(), size, b2nd.Workers(-1))),
		"b2nd.NewReader":   nothing(b2nd.NewReader(src(), b2nd.Workers(-1))),
		"frame.Verify":     nothing(frame.Verify(src(), size, frame.Workers(-1))),
		"stream.NewWriter": nothing(stream.NewWriter(io.Discard, stream.Workers(-1))),
		"stream.NewReader": nothing(stream.NewReader(src(), stream.Workers(-1))),
	} {
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != "workers" {
			t.Errorf("%s with -1 workers: %v", what, err)
		}
	}
	unregistered := spec
	unregistered.Params = &chunk.Params{Codec: 77}
	for what, err := range map[string]error{
		"b2nd.NewWriter, Spec":   nothing(b2nd.NewWriter(io.Discard, unregistered)),
		"b2nd.NewWriter, option": nothing(b2nd.NewWriter(io.Discard, spec, stream.Codec(77))),
		"chunk.NewEncoder":       nothing(chunk.NewEncoder(*unregistered.Params)),
		"frame.CreateSparse":     nothing(frame.CreateSparse(frame.OSDir(t.TempDir()), &header.Header{TypeSize: 4, ChunkSize: 1000, Codec: 77})),
		"stream.NewWriter":       nothing(stream.NewWriter(io.Discard, stream.Codec(77))),
		"stream.NewWriter, Auto": nothing(stream.NewWriter(io.Discard, stream.Codec(77), stream.Auto(tune.Disk))),
	} {
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != "codec" || !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("%s with codec 77: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"b2nd.Open":        nothing(b2nd.Open(nil, 100)),
		"b2nd.NewReader":   nothing(b2nd.NewReader(nil)),
		"b2nd.NewWriter":   nothing(b2nd.NewWriter(nil, spec)),
		"frame.Open":       nothing(frame.Open(nil, 100)),
		"stream.NewWriter": nothing(stream.NewWriter(nil)),
		"stream.NewReader": nothing(stream.NewReader(nil)),
		"stream.NewConn":   nothing(stream.NewConn(nil)),
	} {
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) {
			t.Errorf("%s of nil: %v", what, err)
		}
	}
}

// A nil option is ignored in all packages, so that an option can be left out by a variable.
func TestNilOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.b2nd")
	spec, err := b2nd.SpecOf[float32](b2nd.Unknown, 4)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.CreateFile(path, spec, nil, stream.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src := func() *bytes.Reader { return bytes.NewReader(b) }
	size := int64(len(b))
	one, two := net.Pipe()
	defer one.Close()
	defer two.Close()
	nothing := func(_ any, err error) error { return err }
	closed := func(c io.Closer, err error) error {
		if err != nil {
			return err
		}
		return c.Close()
	}
	for what, err := range map[string]error{
		"b2nd.AppendFile":   closed(b2nd.AppendFile(path, spec, nil, stream.Workers(1))),
		"b2nd.FollowFile":   closed(b2nd.FollowFile(t.Context(), path, nil)),
		"b2nd.NewReader":    nothing(b2nd.NewReader(src(), nil)),
		"b2nd.Open":         nothing(b2nd.Open(src(), size, nil, b2nd.FrameOptions(nil))),
		"frame.CompactFile": frame.CompactFile(path, nil),
		"frame.EditFile":    closed(frame.EditFile(path, nil)),
		"frame.Open":        nothing(frame.Open(src(), size, nil)),
		"frame.Verify":      nothing(frame.Verify(src(), size, nil)),
		"stream.Compress":   nothing(stream.Compress(nil, b, nil)),
		"stream.Decompress": nothing(stream.Decompress(nil, b, nil)),
		"stream.FollowFile": closed(stream.FollowFile(t.Context(), path, nil)),
		"stream.NewConn":    nothing(stream.NewConn(one, nil)),
		"stream.NewReader":  closed(stream.NewReader(src(), stream.Option(nil))),
		"stream.NewWriter":  closed(stream.NewWriter(io.Discard, stream.Option(nil))),
	} {
		if err != nil {
			t.Errorf("%s with a nil option: %v", what, err)
		}
	}
}

// CreateFile drops the contents of the file, waits for its lock, and does not change the
// file if the options are invalid.
func TestCreateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.b2nd")
	if err := os.WriteFile(path, bytes.Repeat([]byte("old"), 1000), 0o666); err != nil {
		t.Fatal(err)
	}
	spec, err := b2nd.SpecOf[int32](b2nd.Unknown, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.CreateFile(path, spec, stream.Level(99)); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 3000 {
		t.Errorf("%v, %v", info, err)
	}
	w, err := b2nd.CreateFile(path, spec, stream.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.CreateFile(path, spec, stream.LockWait(0)); !errors.Is(err, blosc2.ErrLocked) {
		t.Errorf("while another writer has it: %v", err)
	}
	if _, err := b2nd.WriteSlice(w.Writer, []int32{1, 2, 3, 4}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := b2nd.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if got, err := b2nd.Read[int32](a, nil); err != nil || len(got) != 4 || got[3] != 4 {
		t.Errorf("%v, %v", got, err)
	}
}
