package stream_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A nil argument is an error wherever a stream begins, and so are contradictory
// options.
func TestNil(t *testing.T) {
	var none context.Context // a nil literal as an argument would fail vet
	w := newWriter(t, io.Discard)
	r, err := stream.NewReader(bytes.NewReader(nil))
	must(t, err)
	one, two := net.Pipe()
	defer one.Close()
	defer two.Close()
	b2test.Refuses(t, map[string]func() error{
		"Append":                func() error { return b2test.Fail(stream.Append(nil, 100)) },
		"Append without size":   func() error { return b2test.Fail(stream.Append(nil, 0)) },
		"Compress, no context":  func() error { return b2test.Fail(stream.Compress(nil, nil, stream.Context(none))) },
		"Copy from nil":         func() error { return b2test.Fail(stream.Copy(w, nil)) },
		"Copy to nil":           func() error { return b2test.Fail(stream.Copy(nil, bytes.NewReader(nil))) },
		"CopyN from nil":        func() error { return b2test.Fail(stream.CopyN(w, nil, 1)) },
		"CopyN to nil":          func() error { return b2test.Fail(stream.CopyN(nil, bytes.NewReader(nil), 1)) },
		"FollowFile":            func() error { return b2test.Fail(stream.FollowFile(none, filepath.Join(t.TempDir(), "none"))) },
		"FromFrame":             func() error { return b2test.Fail(stream.FromFrame(nil)) },
		"NewConn":               func() error { return b2test.Fail(stream.NewConn(nil)) },
		"NewConn, no context":   func() error { return b2test.Fail(stream.NewConn(one, stream.Context(none))) },
		"NewReader":             func() error { return b2test.Fail(stream.NewReader(nil)) },
		"NewReader, no context": func() error { return b2test.Fail(stream.NewReader(bytes.NewReader(nil), stream.Context(none))) },
		"NewWriter":             func() error { return b2test.Fail(stream.NewWriter(nil)) },
		"NewWriter, no context": func() error { return b2test.Fail(stream.NewWriter(io.Discard, stream.Context(none))) },
		"Reader.Reset":          func() error { return r.Reset(nil) },
		"Reader.ResetContext":   func() error { return r.ResetContext(none, bytes.NewReader(nil)) },
		"Writer.Reset":          func() error { return w.Reset(nil) },
		"Writer.ResetContext":   func() error { return w.ResetContext(none, io.Discard) },
		"TypeSize, then Items": func() error {
			return b2test.Fail(stream.NewWriter(io.Discard, stream.TypeSize(8), stream.Items[float32]()))
		},
		"Items, then TypeSize": func() error {
			return b2test.Fail(stream.NewWriter(io.Discard, stream.Items[float32](), stream.TypeSize(8)))
		},
		"Items of two types": func() error {
			return b2test.Fail(stream.NewWriter(io.Discard, stream.Items[float32](), stream.Items[int64]()))
		},
	})
}
