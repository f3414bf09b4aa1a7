package main

import (
	"bytes"
	"io"
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
