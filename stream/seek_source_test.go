package stream_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Reader of a file that is being written continues, even if the last known chunk
// was finished or replaced. It returns the current bytes of the file, or ErrChanged
// if bytes that it returned were dropped.
func TestReaderOfGrowingFile(t *testing.T) {
	const size = 1000
	data, others := numbers(10*size), bytes.Repeat([]byte{7}, 10*size)
	for name, more := range map[string]func(*stream.Writer) error{
		"flushed":   (*stream.Writer).Flush,
		"committed": (*stream.Writer).Checkpoint,
		"closed":    (*stream.Writer).Close,
	} {
		for _, known := range []int{100, size + 500, 3*size + 900} { // bytes that the file holds when the Reader opens it
			for _, drop := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "log.b2frame")
				file, err := os.Create(path)
				must(t, err)
				w := newWriter(t, file, stream.ChunkSize(size), stream.Workers(1))
				_, err = w.Write(data[:10])
				must(t, errors.Join(err, w.Checkpoint()))
				_, err = w.Write(data[10:known])
				must(t, errors.Join(err, w.Flush()))
				r, err := stream.OpenFile(path, stream.Workers(1))
				must(t, err)
				got := make([]byte, known/size*size) // read whole chunks
				_, err = r.Header()
				must(t, err)
				_, err = io.ReadFull(r, got)
				must(t, err)
				rest := data[known:]
				if drop {
					info, err := file.Stat()
					must(t, err)
					w, err = stream.Append(file, info.Size(), stream.DropTail())
					must(t, err)
					rest = others
				}
				_, err = w.Write(rest[:5*size])
				must(t, errors.Join(err, more(w)))
				after, err := io.ReadAll(r)
				got = append(got, after...)
				must(t, w.Close())
				all, e := os.ReadFile(path)
				must(t, e)
				want, e := readAll(t, bytes.NewReader(all))
				must(t, e)
				switch changed := errors.Is(err, blosc2.ErrChanged); {
				case changed && !drop, err != nil && !changed && !errors.Is(err, io.ErrUnexpectedEOF):
					t.Errorf("%s, %d bytes, dropped %v: %d more, %v", name, known, drop, len(after), err)
				case !changed && (!bytes.HasPrefix(want, got) || len(got) < known && !drop):
					t.Errorf("%s, %d bytes, dropped %v: %d bytes, or wrong ones", name, known, drop, len(got))
				}
				must(t, r.Close())
				must(t, file.Close())
			}
		}
	}
}

// A Reader continues a frame that is appended to with other settings.
func TestReaderOfAppended(t *testing.T) {
	data := numbers(5000)
	path := filepath.Join(t.TempDir(), "appended.b2frame")
	add := func(b []byte, c blosc2.CodecID) {
		t.Helper()
		w, err := stream.AppendFile(path, stream.ChunkSize(1000), stream.Codec(c), stream.Workers(1))
		must(t, err)
		_, err = w.Write(b)
		must(t, errors.Join(err, w.Close()))
	}
	add(data[:2500], blosc2.CodecZstd)
	r, err := stream.OpenFile(path, stream.Workers(1))
	must(t, err)
	defer r.Close()
	got := make([]byte, 1000)
	_, err = io.ReadFull(r, got)
	must(t, err)
	add(data[2500:4000], blosc2.CodecLZ4)
	add(data[4000:], blosc2.CodecBloscLZ)
	after, err := io.ReadAll(r)
	if got = append(got, after...); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes of %d, or others: %v", len(got), len(data), err)
	}
}
