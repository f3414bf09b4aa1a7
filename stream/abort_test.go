package stream_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// An aborted Writer leaves the frame unfinished, returns the reason, and works
// again after Reset.
func TestAbort(t *testing.T) {
	boom := errors.New("boom")
	for _, workers := range []int{1, 2} {
		for _, options := range [][]stream.WriterOption{nil, {stream.Spool(1 << 10)}} {
			var out bytes.Buffer
			w, err := stream.NewWriter(&out, append(options, stream.Workers(workers), stream.ChunkSize(1<<10))...)
			must(t, err)
			_, err = w.Write(noise(1 << 20))
			must(t, err)
			if err := w.Abort(boom); err != boom {
				t.Errorf("aborted: %v", err)
			}
			if err := w.Close(); err != boom {
				t.Errorf("closed: %v", err)
			}
			if _, err := w.Write([]byte{1}); err != boom {
				t.Errorf("written to: %v", err)
			}
			r, err := stream.NewReader(&out)
			must(t, err)
			if _, err := io.Copy(io.Discard, r); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("read: %v", err)
			}
			r.Close()
			out.Reset()
			must(t, w.Reset(&out))
			_, err = w.Write([]byte("again"))
			must(t, err)
			must(t, w.Close())
			if err := w.Abort(boom); err != nil {
				t.Errorf("aborted after Close: %v", err)
			}
			check(t, "again", out.Bytes(), []byte("again"))
		}
	}
}
