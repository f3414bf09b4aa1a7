package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestBeginsText(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"line\r\n\tline\n", true},
		{"gr\u00f6\u00dfe", true},
		{"cut \xe2\x82", true}, // the beginning of a character of three bytes
		{"", false},
		{"\xe2", false},
		{"nul\x00", false},
		{"bell\a", false},
		{"invalid \xff", false},
		{"invalid \xe2\x82 within", false},
		{"overlong \xc0\x80", false},
	} {
		if got := beginsText([]byte(c.head)); got != c.want {
			t.Errorf("%q: %v", c.head, got)
		}
	}
}

// A terminal shows characters that two writes share, and no control characters.
func TestTextWriter(t *testing.T) {
	const text = "gr\u00f6\u00dfe \u20ac \U0001f600\r\n\tbell\a csi\u009b cut \xe2\x82"
	const want = "gr\u00f6\u00dfe \u20ac \U0001f600\n\tbell\ufffd csi\ufffd cut \ufffd\ufffd"
	for name, src := range map[string]io.Reader{
		"at once": bytes.NewReader([]byte(text)), "by bytes": iotest.OneByteReader(bytes.NewReader([]byte(text))),
	} {
		var b bytes.Buffer
		w := &textWriter{to: &b, terminal: true}
		_, err := io.Copy(w, struct{ io.Reader }{src})
		if err != nil || w.Close() != nil || b.String() != want {
			t.Errorf("%s: %q, error %v; want %q", name, b.String(), err, want)
		}
	}
}

// What follows the first frame of a file is not printed, which a note says.
func TestCatOneFrame(t *testing.T) {
	dir := t.TempDir()
	raw, name := filepath.Join(dir, "two.i2"), filepath.Join(dir, "two.b2frame")
	noError(t, os.WriteFile(raw, []byte{7, 0, 8, 0}, 0o666))
	if status, _, stderr := runs(t, "compress", "-o", name, raw); status != exitDone {
		t.Fatal(stderr)
	}
	one, err := os.ReadFile(name)
	noError(t, err)
	for more, want := range map[string]string{"": "", string(one): "not printed", "other": "not printed"} {
		noError(t, os.WriteFile(name, append(one[:len(one):len(one)], more...), 0o666))
		status, stdout, stderr := runs(t, "cat", name)
		if status != exitDone || stdout != "7\n8\n" || !strings.Contains(stderr, want) || want == "" && stderr != "" {
			t.Errorf("%d bytes after it: exit %d, %q, %q", len(more), status, stdout, stderr)
		}
	}
}
