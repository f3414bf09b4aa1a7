package stream_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
)

// A source that is not a frame returns blosc2.ErrNotBlosc2, and the error says what the
// source looks like. A source that is empty, or only the beginning of a frame, returns
// io.ErrUnexpectedEOF.
func TestNotBlosc2(t *testing.T) {
	whole := compress(t, numbers(100))
	for _, c := range []struct{ data, says string }{
		{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff and so on", "gzip"},
		{"\x28\xb5\x2f\xfd and so on, and so on, and so on", "zstd"},
		{"\x93NUMPY\x01\x00 and so on, and so on, and so on", ".npy"},
		{"PK\x03\x04 and so on, and so on, and so on", "zip"},
		{"plain text that is long enough", `"plain text that "`},
		{"text", `"text"`},
		{"\x1f\x8b", "gzip"},
		{"\x1e" + string(whole[1:]), "1e a8"},
	} {
		for name, src := range map[string]io.Reader{"file": strings.NewReader(c.data), "pipe": io.MultiReader(strings.NewReader(c.data))} {
			got, err := readAll(t, src)
			if !errors.Is(err, blosc2.ErrNotBlosc2) || !errors.Is(err, blosc2.ErrCorrupt) || len(got) > 0 || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %q: %v", name, c.data, err)
			}
		}
		if _, err := frame.Open(strings.NewReader(c.data), int64(len(c.data))); !errors.Is(err, blosc2.ErrNotBlosc2) {
			t.Errorf("opened, %q: %v", c.data, err)
		}
	}
	for _, n := range []int{0, 1, 9, 10, 23, 24, 60} {
		for name, src := range map[string]io.Reader{"file": bytes.NewReader(whole[:n]), "pipe": io.MultiReader(bytes.NewReader(whole[:n]))} {
			if _, err := readAll(t, src); !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, blosc2.ErrNotBlosc2) {
				t.Errorf("%s, %d bytes: %v", name, n, err)
			}
		}
	}
	damaged := bytes.Clone(whole)
	damaged[10] ^= 1 // damages a byte after the magic number
	if _, err := readAll(t, bytes.NewReader(damaged)); !errors.Is(err, blosc2.ErrCorrupt) || errors.Is(err, blosc2.ErrNotBlosc2) {
		t.Errorf("damaged: %v", err)
	}
}
