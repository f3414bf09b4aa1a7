package main

import (
	"bytes"
	"cmp"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// textLen is the number of bytes at the beginning of data that must be text if cat is to print
// the data as text.
const textLen = 64 << 10

// asText makes the items of v bytes if their type is not known and the data begin like text, and
// reports whether it did.
func (v *view) asText() bool {
	if !v.untyped {
		return false
	}
	text := *v
	if err := text.openItems("V1"); err != nil {
		return false
	}
	head := make([]byte, min(textLen, text.shape[0]))
	err := cmp.Or(text.restrict(), text.read(head, b2nd.All([]int64{int64(len(head))})))
	if err != nil || !beginsText(head) {
		return false
	}
	*v = text
	return true
}

// beginsText reports whether data that begin with head are text. The last character of head may
// be incomplete.
func beginsText(head []byte) bool {
	for n := 1; n < utf8.UTFMax && n <= len(head); n++ {
		if last := head[len(head)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				head = head[:len(head)-n]
			}
			break
		}
	}
	return len(head) > 0 && plainText(head)
}

// writeText writes text. On a terminal it replaces control characters, except those of lines.
func (e *env) writeText(w io.Writer, b []byte) error {
	if e.isTerminal(e.stdout) {
		b = bytes.Map(func(r rune) rune {
			switch {
			case r == '\r':
				return -1
			case unicode.IsControl(r) && r != '\n' && r != '\t':
				return utf8.RuneError
			}
			return r
		}, b)
	}
	_, err := w.Write(b)
	return err
}
