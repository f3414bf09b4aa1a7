package stream_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// Uncommitted data of an Editor are not an error for a Reader of the file, wherever
// they end.
func TestUncommitted(t *testing.T) {
	for _, checks := range []bool{true, false} {
		data := numbers(2500)
		b := compress(t, data, stream.ChunkSize(1000), stream.Checks(checks))
		d := &disk{b: bytes.Clone(b)}
		e, err := frame.Edit(d, int64(len(b)))
		must(t, err)
		must(t, e.Append(numbers(3210)))
		if len(d.b) < len(b)+100 {
			t.Fatal("nothing was written")
		}
		for n := len(b); n <= len(d.b); n++ {
			check(t, "uncommitted", d.b[:n], data)
			rep, err := frame.Verify(bytes.NewReader(d.b[:n]), int64(n))
			if err != nil || !rep.Sound() || rep.Trailing != int64(n-len(b)) {
				t.Fatalf("%d bytes: %+v, %v", n, rep, err)
			}
		}
	}
}

// Append does not truncate bytes that are not uncommitted data, such as a damaged
// frame.
func TestAppendTrailing(t *testing.T) {
	one := compress(t, numbers(2500), stream.ChunkSize(1000))
	damaged := bytes.Clone(one)
	damaged[0] ^= 1
	path := filepath.Join(t.TempDir(), "a")
	for _, after := range [][]byte{[]byte("foreign"), damaged} {
		b := append(bytes.Clone(one), after...)
		must(t, os.WriteFile(path, b, 0o666))
		if _, err := stream.AppendFile(path); !errors.Is(err, blosc2.ErrTrailing) {
			t.Errorf("%q: %v", after[:4], err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, b) {
			t.Errorf("%q: the file has changed, %v", after[:4], err)
		}
	}
}
