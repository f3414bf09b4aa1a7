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
	head = head[:len(head)-incomplete(head)]
	return len(head) > 0 && plainText(head)
}

// incomplete returns the number of bytes at the end of b that are the beginning of a character.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return n
			}
			break
		}
	}
	return 0
}

// A textWriter writes text. For a terminal it replaces control characters, except those of lines.
type textWriter struct {
	to       io.Writer
	terminal bool
	held     []byte // the beginning of a character that the next Write completes
}

func (e *env) textTo(w io.Writer) *textWriter {
	return &textWriter{to: w, terminal: e.isTerminal(e.stdout)}
}

func (t *textWriter) Write(p []byte) (int, error) {
	if !t.terminal {
		return t.to.Write(p)
	}
	b := append(t.held, p...)
	end := len(b) - incomplete(b)
	err := t.print(b[:end])
	t.held = append(t.held[:0], b[end:]...)
	return len(p), err
}

// Close writes what remains.
func (t *textWriter) Close() error { return t.print(t.held) }

func (t *textWriter) print(b []byte) error {
	_, err := t.to.Write(bytes.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return utf8.RuneError
		}
		return r
	}, b))
	return err
}
