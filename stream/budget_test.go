package stream_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// A damaged chunk also ends a Reader that has used up its memory: a worker that
// reads ahead and waits for memory stops waiting.
func TestDamageWithoutMemory(t *testing.T) {
	procs(t, 2)
	data := noise(4 << 20)
	var frame bytes.Buffer
	w := newWriter(t, onlyWriter{&frame}, stream.ChunkSize(512<<10), stream.Level(0))
	_, err := w.Write(data[:100])
	must(t, err)
	must(t, w.Flush()) // so that chunks may have any size
	_, err = w.Write(data[100:])
	must(t, err)
	must(t, w.Close())
	for at := 1000; at < len(data); at += 400 << 10 {
		bad := bytes.Clone(frame.Bytes())
		bad[at] ^= 1
		for memory := int64(1) << 20; memory <= 4<<20; memory += 1 << 19 {
			done := make(chan error, 1)
			go func() {
				r, err := stream.NewReader(bytes.NewReader(bad), stream.Workers(2), stream.Memory(memory))
				if err == nil {
					_, err = io.Copy(io.Discard, r)
					r.Close()
				}
				done <- err
			}()
			select {
			case err := <-done:
				if !errors.Is(err, blosc2.ErrChecksum) {
					t.Errorf("byte %d, %d bytes of memory: %v", at, memory, err)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("byte %d, %d bytes of memory: does not end", at, memory)
			}
		}
	}
}
