package meta

import (
	"errors"
	"strconv"
	"strings"
)

// Structured dtypes are written as Python literals. The values in a literal have these
// types, or are a string, an int64 or a bool. None is nil.
type (
	pyTuple []any
	pyList  []any
	pyDict  []pyItem
	pyItem  struct {
		key   string
		value any
	}
)

// These are the limits of a literal.
const (
	maxLiteral = 1 << 20 // bytes
	maxDepth   = 32      // depth of nested lists
)

var errLiteral = errors.New("not a Python literal of strings, numbers, tuples, lists and dicts")

// A pyParser reads a literal. rest is the part of it that has not been read yet.
type pyParser struct {
	rest  string
	depth int
}

// parsePython reads a Python literal.
func parsePython(s string) (any, error) {
	if len(s) > maxLiteral {
		return nil, errLiteral
	}
	p := pyParser{rest: s}
	v, err := p.value()
	if err == nil && p.peek() != 0 {
		err = errLiteral
	}
	return v, err
}

// peek skips spaces and returns the next byte, 0 at the end.
func (p *pyParser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// accept skips c if it is next, and reports whether it was.
func (p *pyParser) accept(c byte) bool {
	if p.peek() != c || c == 0 {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *pyParser) value() (any, error) {
	switch c := p.peek(); {
	case c == '(':
		list, comma, err := p.list('(', ')')
		if err == nil && len(list) == 1 && !comma {
			return list[0], nil
		}
		return pyTuple(list), err
	case c == '[':
		list, _, err := p.list('[', ']')
		return pyList(list), err
	case c == '{':
		return p.dict()
	case c == '\'' || c == '"':
		return p.str()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for word, v := range map[string]any{"True": true, "False": false, "None": nil} {
		if after, ok := strings.CutPrefix(p.rest, word); ok {
			p.rest = after
			return v, nil
		}
	}
	return nil, errLiteral
}

// list reads values up to the closing bracket, and reports whether a comma follows the
// last one.
func (p *pyParser) list(open, end byte) (list []any, comma bool, err error) {
	if p.depth++; p.depth > maxDepth || !p.accept(open) {
		return nil, false, errLiteral
	}
	defer func() { p.depth-- }()
	for !p.accept(end) {
		if len(list) > 0 && !comma {
			return nil, false, errLiteral
		}
		v, err := p.value()
		if err != nil {
			return nil, false, err
		}
		list = append(list, v)
		comma = p.accept(',')
	}
	return list, comma, nil
}

func (p *pyParser) dict() (pyDict, error) {
	if p.depth++; p.depth > maxDepth || !p.accept('{') {
		return nil, errLiteral
	}
	defer func() { p.depth-- }()
	var dict pyDict
	for comma := true; !p.accept('}'); comma = p.accept(',') {
		if !comma || p.peek() != '\'' && p.peek() != '"' {
			return nil, errLiteral
		}
		key, err := p.str()
		if err != nil || !p.accept(':') {
			return nil, errLiteral
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		dict = append(dict, pyItem{key, v})
	}
	return dict, nil
}

func (p *pyParser) number() (int64, error) {
	n := 1
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(p.rest[:n], 10, 64)
	p.rest = p.rest[n:]
	return v, err
}

func (p *pyParser) str() (string, error) {
	quote := p.rest[0]
	p.rest = p.rest[1:]
	var b strings.Builder
	for {
		if p.rest == "" || p.rest[0] == '\n' {
			return "", errLiteral
		}
		if p.rest[0] == quote {
			p.rest = p.rest[1:]
			return b.String(), nil
		}
		r, _, rest, err := strconv.UnquoteChar(p.rest, quote)
		if err != nil {
			if p.rest, err = p.otherQuote(&b); err != nil {
				return "", err
			}
			continue
		}
		b.WriteRune(r)
		p.rest = rest
	}
}

// otherQuote reads a backslash followed by the quote that does not delimit the string.
// Python allows that and Go does not.
func (p *pyParser) otherQuote(b *strings.Builder) (string, error) {
	if len(p.rest) > 1 && p.rest[0] == '\\' && (p.rest[1] == '\'' || p.rest[1] == '"') {
		b.WriteByte(p.rest[1])
		return p.rest[2:], nil
	}
	return "", errLiteral
}

// quotePython writes a string as Python does.
func quotePython(s string) string {
	q := strconv.QuoteToGraphic(s)
	q = strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			return `"` + q + `"`
		}
		q = strings.ReplaceAll(q, "'", `\'`)
	}
	return "'" + q + "'"
}
