package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shown returns a name for a message, with characters escaped that could break a
// line or control a terminal.
func shown(name string) string {
	if strings.IndexFunc(name, hidden) < 0 && utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\ufffd"):
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case hidden(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character is invisible, or changes how others are
// displayed.
func hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// asciiOnly reports whether the locale is C or POSIX. Without a locale it returns
// false.
func asciiOnly() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToUpper(v)
			return v == "C" || v == "POSIX"
		}
	}
	return false
}

var toASCII = strings.NewReplacer("×", "x", "±", "+/-", "…", "...", "≤", "<=", "–", "-", "—", "-")

// local returns text with the characters that the locale does not support replaced.
func (e *env) local(text string) string {
	if !e.ascii {
		return text
	}
	text = toASCII.Replace(text)
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return escapeAll(text)
		}
	}
	return text
}

func escapeAll(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else if r < 0x10000 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// print writes text to the standard output, in the characters of the locale.
func (e *env) print(text string) error {
	_, err := io.WriteString(e.stdout, e.local(text))
	return err
}

// newJSON returns an encoder of lines of JSON, in which < and & are not escaped.
func newJSON(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// These are colours, as terminal escape codes.
const (
	red   = "31"
	green = "32"
	faint = "2"
)

// paint colours text for a terminal. NO_COLOR and TERM=dumb turn that off.
func (e *env) paint(to *os.File, colour, text string) string {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" || !e.isTerminal(to) {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// howMany returns how many flags are set.
func howMany(flags ...bool) (n int) {
	for _, on := range flags {
		if on {
			n++
		}
	}
	return n
}
