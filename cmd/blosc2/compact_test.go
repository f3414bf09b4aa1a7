package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// flushed returns a frame as written to a pipe with several calls of Flush.
func flushed(t *testing.T) (path string, data []byte) {
	t.Helper()
	var pipe bytes.Buffer
	w, err := stream.NewWriter(struct{ io.Writer }{&pipe}, stream.TypeSize(4), stream.ChunkSize(64<<10))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		part := bytes.Repeat([]byte{1, 2, 3, byte(n)}, 10_000)
		data = append(data, part...)
		_, err := w.Write(part)
		if err := errors.Join(err, w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	err = errors.Join(w.SetVLMetaValue("note", map[string]any{"unit": "mV", "gain": 2.5}), w.SetVLMeta("raw", []byte("hello")), w.Close())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "f.b2frame")
	if err := os.WriteFile(path, pipe.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, data
}

// holds checks the data and the chunk size of a frame. A size of 0 means that chunks
// have different sizes.
func holds(t *testing.T, path string, data []byte, chunkSize int32) {
	t.Helper()
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := make([]byte, f.Size())
	if _, err := f.ReadAt(got, 0); err != nil && err != io.EOF || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(data), err)
	}
	if n := f.Header().ChunkSize; n != chunkSize {
		t.Errorf("chunks of %d, want %d", n, chunkSize)
	}
}

// compact and seal set one chunk size or keep the sizes, depending on the flags.
func TestCompactFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		size int32
	}{
		{[]string{"compact"}, 64 << 10}, {[]string{"compact", "--chunk", "10K"}, 10 << 10}, {[]string{"compact", "--keep-sizes", "--wait", "0"}, 0},
		{[]string{"seal"}, 0}, {[]string{"seal", "--uniform"}, 64 << 10}, {[]string{"seal", "--chunk", "10000"}, 10_000},
	} {
		path, data := flushed(t)
		if status, _, stderr := runs(t, append(append(c.args, "-q"), path)...); status != exitDone || stderr != "" {
			t.Errorf("%v: %d %s", c.args, status, stderr)
		}
		holds(t, path, data, c.size)
	}
	for _, args := range [][]string{{"compact", "--keep-sizes", "--chunk", "1K", "x"}, {"seal", "--renew", "--uniform", "x"}} {
		if status, _, stderr := runs(t, args...); status != exitMisuse {
			t.Errorf("%v: %d %s", args, status, stderr)
		}
	}
	path, _ := flushed(t)
	unlock, err := frame.LockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if status, _, stderr := runs(t, "compact", "--wait", "10ms", path); status != exitFailed || stderr != "blosc2: "+path+": another writer holds the lock (waited 10ms)\n" {
		t.Errorf("%d %s", status, stderr)
	}
}

// info shows the values of vlmetalayers, and the bytes of any that are not msgpack.
func TestInfoValues(t *testing.T) {
	path, _ := flushed(t)
	status, stdout, stderr := runs(t, "info", path)
	if status != exitDone || !strings.Contains(stdout, "vlmetalayer   note, 23 bytes: {\"gain\": 2.5, \"unit\": \"mV\"}\n") ||
		!strings.Contains(stdout, "vlmetalayer   raw, 5 bytes, not msgpack: 68656c6c6f\n") || !strings.Contains(stdout, "metalayer     b2stream, 30 bytes\n") {
		t.Errorf("%d %s %s", status, stdout, stderr)
	}
	_, stdout, _ = runs(t, "info", "--json", path)
	var d struct {
		VLMetalayers []struct {
			Name, Content string
			Value         any
		}
	}
	if err := json.Unmarshal([]byte(stdout), &d); err != nil || len(d.VLMetalayers) != 2 {
		t.Fatal(err, stdout)
	}
	if v, ok := d.VLMetalayers[0].Value.(map[string]any); !ok || v["gain"] != 2.5 || v["unit"] != "mV" {
		t.Error(d.VLMetalayers)
	}
	if l := d.VLMetalayers[1]; l.Value != nil || l.Content != "68656c6c6f" {
		t.Error(l)
	}
}

// compress warns once about delta if, and only if, C-Blosc2 would misread the
// output.
func TestDeltaWarning(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, bytes.Repeat([]byte("12345678"), 100_000), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  string
		warns bool
	}{
		{"--filters delta,shuffle --auto off", true}, {"--filters shuffle,delta -c zstd --auto off", true}, {"--filters delta --chunk-only", true}, {"--filters delta --shape 100000 --dtype <f8", true},
		{"--filters shuffle", false}, {"--filters delta -q", false}, {"--filters delta -l 0", false}, {"--filters delta --chunk 8K", false}, {"--filters delta --layout 2019", false},
		{"--filters delta --auto disk --block 100K", true}, {"--filters delta --block 800000", false}, {"", false},
	} {
		out := filepath.Join(t.TempDir(), "out")
		args := append([]string{"compress", "-t", "8", "-o", out}, strings.Fields(c.args)...)
		status, _, stderr := runs(t, append(args, in)...)
		if n := strings.Count(stderr, "C-Blosc2 reads parts"); status != exitDone || (n == 1) != c.warns || n > 1 {
			t.Errorf("%s: %d %s", c.args, status, stderr)
		}
		if p, err := filters.Parse("delta"); err != nil || c.args == "--filters delta --chunk 8K" {
			f, err := frame.OpenFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if h, err := f.ChunkHeader(0); err != nil || h.Filters != p || h.BlockSize != h.NBytes {
				t.Errorf("%+v, %v", h, err)
			}
			f.Close()
		}
	}
}
