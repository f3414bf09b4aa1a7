package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/stream"
)

// A nil pointer as a sink or source panics like a call of its methods, but in the goroutine
// of the caller, who can recover, whatever the number of workers.
func TestNilPointer(t *testing.T) {
	procs(t, 4)
	data := noise(12 << 20) // more than is held back
	for _, workers := range []int{1, 4} {
		for name, f := range map[string]func() error{
			"Write and Close": func() error {
				w := newWriter(t, (*bytes.Buffer)(nil), stream.Workers(workers))
				defer w.Abort(nil)
				if _, err := w.Write(data[:100]); err != nil {
					return err
				}
				return w.Close()
			},
			"Write": func() error {
				w := newWriter(t, (*bytes.Buffer)(nil), stream.Workers(workers))
				defer w.Abort(nil)
				_, err := w.Write(data)
				return err
			},
			"Spool": func() error {
				w := newWriter(t, (*bytes.Buffer)(nil), stream.Workers(workers), stream.Spool(1<<20))
				defer w.Abort(nil)
				return w.Close()
			},
			"Read": func() error {
				r, err := stream.NewReader((*bytes.Buffer)(nil), stream.Workers(workers))
				if err != nil {
					return err
				}
				defer r.Close()
				_, err = io.ReadAll(r)
				return err
			},
		} {
			func() {
				defer func() {
					if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "nil pointer dereference") {
						t.Errorf("%s, %d workers: panic %v", name, workers, r)
					}
				}()
				t.Errorf("%s, %d workers: no panic, but %v", name, workers, f())
			}()
		}
	}
	goleak.VerifyNone(t)
}
