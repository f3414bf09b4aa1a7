package npy

import (
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/meta"
)

// parseHeader reads the header's text, a Python dict with three keys.
func parseHeader(text string) (*Header, error) {
	dict, ok := splitDict(text)
	if !ok || len(dict) != 3 {
		return nil, corrupt("header %.80q", text)
	}
	h := &Header{}
	switch dict["fortran_order"] {
	case "True":
		h.Fortran = true
	case "False":
	default:
		return nil, corrupt("fortran_order %.20q", dict["fortran_order"])
	}
	if h.Shape, ok = parseShape(dict["shape"]); !ok {
		return nil, corrupt("shape %.80q", dict["shape"])
	}
	d, err := meta.ParseDType(dict["descr"])
	if err != nil {
		return nil, err
	}
	h.DType = dropGaps(d)
	_, err = h.Size()
	return h, err
}

// splitDict cuts a dict into the texts of its values.
func splitDict(s string) (map[string]string, bool) {
	s, ok := strings.CutPrefix(strings.TrimSpace(s), "{")
	if !ok {
		return nil, false
	}
	dict := map[string]string{}
	for {
		s = strings.TrimLeft(s, " \t\n")
		if s == "}" {
			return dict, true
		}
		if s == "" || s[0] != '\'' && s[0] != '"' {
			return nil, false
		}
		end := strings.IndexByte(s[1:], s[0]) + 1
		if end == 0 {
			return nil, false
		}
		key := s[1:end]
		if s, ok = strings.CutPrefix(strings.TrimLeft(s[end+1:], " "), ":"); !ok {
			return nil, false
		}
		n := valueLen(s)
		if n < 0 {
			return nil, false
		}
		if _, twice := dict[key]; twice {
			return nil, false
		}
		dict[key] = strings.TrimSpace(s[:n])
		s = strings.TrimPrefix(s[n:], ",")
	}
}

// valueLen gives the length of a value: up to a comma or brace outside of
// brackets and strings. -1 means that there is no end.
func valueLen(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		case '\'', '"':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// parseShape reads a tuple of numbers; Python 2 wrote an L behind long ones.
func parseShape(s string) ([]int64, bool) {
	if len(s) < 2 || s[0] != '(' || s[len(s)-1] != ')' {
		return nil, false
	}
	shape := []int64{}
	words := strings.Split(s[1:len(s)-1], ",")
	for i, word := range words {
		word = strings.TrimSpace(word)
		if word == "" && i == len(words)-1 {
			break // behind the last comma, or an empty tuple
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(word, "L"), 10, 64)
		if err != nil || n < 0 || len(shape) == maxDim {
			return nil, false
		}
		shape = append(shape, n)
	}
	return shape, true
}
