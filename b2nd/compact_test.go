package b2nd_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// CompactFile keeps the rows that the Writer had flushed when it died, no more
// and no less, and compresses them. The next Writer continues after them.
func TestCompactOpenRows(t *testing.T) {
	for name, spec := range layouts {
		for _, committed := range []int{5, 50, 64, 128} {
			for _, flushed := range []int{0, 3, 20, 90} {
				path := filepath.Join(t.TempDir(), "rows")
				rows := committed + flushed
				data := newRecords().append(nil, rows+10)
				w, err := b2nd.AppendFile(path, spec, stream.Workers(1))
				must(t, err)
				_, err = w.Write(data[:committed*rowLen])
				must(t, err)
				must(t, w.Checkpoint())
				_, err = w.Write(data[committed*rowLen : rows*rowLen])
				must(t, err)
				must(t, w.Flush())
				die(t, w)
				must(t, frame.CompactFile(path))
				read := func(rows int) {
					t.Helper()
					a, err := b2nd.OpenFile(path)
					must(t, err)
					defer a.Close()
					got, err := a.ReadAll()
					must(t, err)
					if !bytes.Equal(got, data[:rows*rowLen]) {
						t.Errorf("%s, %d rows committed, %d flushed: %d rows of %d, or others", name, committed, flushed, len(got)/rowLen, rows)
					}
					if n := a.Frame().NumChunks() - 1; name != "chunks" && rows%64 > 10 {
						if h, err := a.Frame().ChunkHeader(n); err != nil || h.CBytes > h.NBytes {
							t.Errorf("%s, %d rows: the last chunk is stored in %d bytes: %v", name, rows, h.CBytes, err)
						}
					}
				}
				read(rows)
				w, err = b2nd.AppendFile(path, spec, stream.Workers(1))
				must(t, err)
				_, err = w.Write(data[rows*rowLen:])
				must(t, err)
				must(t, w.Close())
				read(rows + 10)
			}
		}
	}
}
