package npy

import "strings"

// A scanner finds the values of a Python literal without parsing them.
type scanner struct{ rest string }

// scanDict returns the text of each value of a dict with keys that are plain
// strings.
func scanDict(text string) (map[string]string, error) {
	s := scanner{text}
	if !s.accept('{') {
		return nil, corrupt("header is not a dict")
	}
	dict := map[string]string{}
	for comma := true; !s.accept('}'); comma = s.accept(',') {
		key, err := s.value()
		if err != nil {
			return nil, err
		}
		if !comma || len(key) < 2 || key[0] != '\'' && key[0] != '"' || !s.accept(':') {
			return nil, corrupt("header is not a dict with strings for keys")
		}
		key = key[1 : len(key)-1]
		if _, twice := dict[key]; twice {
			return nil, corrupt("key %.20q occurs twice in the header", key)
		}
		if dict[key], err = s.value(); err != nil {
			return nil, err
		}
	}
	if s.space(); s.rest != "" {
		return nil, corrupt("%d bytes after the dict", len(s.rest))
	}
	return dict, nil
}

func (s *scanner) space() { s.rest = strings.TrimLeft(s.rest, " \t\r\n") }

// accept skips c if it is next, and reports whether it was.
func (s *scanner) accept(c byte) bool {
	s.space()
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// value returns the text of the next value: up to a comma, a colon or a closing
// bracket that is not inside it.
func (s *scanner) value() (string, error) {
	s.space()
	depth := 0
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; c {
		case '\'', '"':
			end := closingQuote(s.rest[i:])
			if end < 0 {
				return "", corrupt("unterminated string")
			}
			i += end
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',', ':':
			if depth == 0 {
				if text := strings.TrimSpace(s.rest[:i]); text != "" {
					s.rest = s.rest[i:]
					return text, nil
				}
				return "", corrupt("value is missing before %q", c)
			}
			if c != ',' && c != ':' {
				depth--
			}
		}
	}
	return "", corrupt("header ends within its dict")
}

// closingQuote returns the index of the quote that ends the string at the start
// of s, or -1.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		}
	}
	return -1
}
