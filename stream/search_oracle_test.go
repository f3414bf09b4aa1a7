package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// The frames of a conversation with Compact are, after sealing, readable by
// C-Blosc2 3, and both libraries decode every kind of chunk that the search makes.
func TestCompactOracle(t *testing.T) {
	libs := b2test.Oracles(t)
	dir := t.TempDir()
	all := map[string]int{}
	defer func() {
		if len(all) < 4 {
			t.Errorf("the search has made no other kinds of chunks than %v", all)
		}
	}()
	for name, size := range map[string]int{"nab-records.16": 16, "nab-value.f8": 8, "era-geopotential.f4": 4, "era-wind-u.i2": 2} {
		data := b2test.Real(t, name)[:100_000/320*320]
		w := new(wire)
		c, err := stream.NewConn(w, stream.Compact(), stream.TypeSize(size))
		must(t, err)
		for i := 0; i < len(data); i += 320 {
			_, err := c.Write(data[i : i+320])
			must(t, err)
		}
		must(t, c.Close())
		sent := bytes.Clone(w.Bytes())
		tried := map[string]int{}
		walker := frame.NewWalker(&w.Buffer)
		for i := 0; ; i++ {
			it, err := walker.Next(nil)
			if err == io.EOF {
				break
			}
			must(t, err)
			h, err := chunk.ParseHeader(it.Chunk)
			must(t, err)
			kind := fmt.Sprint(h.Codec, h.Filters, h.Memcpyed())
			if tried[kind]++; tried[kind] > 5 {
				continue
			}
			file := filepath.Join(dir, "chunk")
			must(t, os.WriteFile(file, it.Chunk, 0o666))
			for _, lib := range libs {
				got, err := lib.Decode(t, "decompress-chunk", file)
				if err != nil || !bytes.Equal(got, data[i*320:(i+1)*320]) {
					t.Errorf("%s, %s: C-Blosc2 %d decodes other bytes, or %v", name, kind, lib.Major, err)
				}
			}
		}
		t.Log(name, tried)
		maps.Copy(all, tried)

		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, sent, 0o666))
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		must(t, err)
		must(t, frame.Seal(f, int64(len(sent))))
		must(t, f.Close())
		for _, lib := range libs {
			if lib.Major < 3 {
				continue // treats a frame of variable chunk size as an empty one
			}
			for _, i := range []int{0, 1, len(data)/320 - 1} {
				got := filepath.Join(dir, "got")
				lib.Run(t, "read-range", "--chunk", fmt.Sprint(i), "--start", "0", "--stop", fmt.Sprint(320/size), file, got)
				if b, err := os.ReadFile(got); err != nil || !bytes.Equal(b, data[i*320:(i+1)*320]) {
					t.Errorf("%s: C-Blosc2 %d reads other bytes of chunk %d, or %v", name, lib.Major, i, err)
				}
			}
		}
	}
}
