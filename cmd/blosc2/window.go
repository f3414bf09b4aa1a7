package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// A selection describes the items that a window in NumPy's notation selects.
type selection struct {
	b2nd.Window
	backward []bool // the dimensions that are reversed
	item     int    // size of an item of the array, in bytes
	offset   int    // position of the selected field in an item, in bytes
	dtype    meta.DType
	inner    []int // shape of the field, if it is an array
}

// Shape returns the shape of the selection.
func (s *selection) Shape() []int64 {
	shape := s.Window.Shape()
	for _, n := range s.inner {
		shape = append(shape, int64(n))
	}
	return shape
}

// bytes returns the size of the selection in bytes.
func (s *selection) bytes() int64 {
	return item.Count(s.Window.Shape()) * int64(s.taken())
}

// parseSelection parses a window: for each dimension an index or
// START:STOP:STEP, with … or ... for any number of dimensions, with or without
// brackets around all; and the names of fields, alone or each in brackets.
func parseSelection(text string, shape []int64, d meta.DType) (*selection, error) {
	s := &selection{Window: b2nd.All(shape), backward: make([]bool, len(shape)), item: d.Size, dtype: d}
	groups, err := splitGroups(text)
	if err != nil {
		return nil, err
	}
	placed := false
	for _, g := range groups {
		if name, ok := fieldName(g, s.dtype); ok {
			if err := s.take(name); err != nil {
				return nil, err
			}
			continue
		}
		if placed {
			return nil, fmt.Errorf("[%s]: must be the name of a field", g)
		}
		placed = true
		if err := s.place(g, shape); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// allRows returns a span of n rows.
func allRows(n int64) b2nd.Span { return b2nd.Span{Stop: n, Step: 1} }

// splitGroups returns the text in each pair of brackets, or the whole text if there
// are none.
func splitGroups(text string) (groups []string, err error) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") {
		return []string{text}, nil
	}
	for text != "" {
		if text[0] != '[' {
			return nil, fmt.Errorf("unexpected %q after a bracket", text)
		}
		end := closing(text)
		if end < 0 {
			return nil, fmt.Errorf("%s: unmatched bracket", text)
		}
		groups = append(groups, strings.TrimSpace(text[1:end]))
		text = strings.TrimSpace(text[end+1:])
	}
	return groups, nil
}

// closing returns the position of the bracket that ends the first group, ignoring
// those in quotes.
func closing(text string) int {
	quote := byte(0)
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ']':
			return i
		}
	}
	return -1
}

// fieldName reports whether a group is the name of a field. The name is in quotes, or
// there must be such a field.
func fieldName(group string, d meta.DType) (name string, ok bool) {
	if n := len(group); n >= 2 && (group[0] == '\'' || group[0] == '"') && group[n-1] == group[0] {
		return group[1 : n-1], true
	}
	i := slices.IndexFunc(d.Fields, func(f meta.Field) bool { return f.Name == group })
	return group, i >= 0
}

// take narrows the selection to a field of the items.
func (s *selection) take(name string) error {
	i := slices.IndexFunc(s.dtype.Fields, func(f meta.Field) bool { return f.Name == name || f.Title == name && name != "" })
	if i < 0 || s.inner != nil {
		if len(s.dtype.Fields) == 0 {
			return fmt.Errorf("[%q]: the items have no fields", name)
		}
		return fmt.Errorf("[%q]: the fields are %s", name, join(fieldNames(s.dtype)))
	}
	f := s.dtype.Fields[i]
	s.offset += f.Offset
	s.dtype, s.inner = f.Type, f.Shape
	return nil
}

func fieldNames(d meta.DType) (names []string) {
	for _, f := range d.Fields {
		names = append(names, f.Name)
	}
	return names
}

// place parses the indices of a window.
func (s *selection) place(text string, shape []int64) error {
	if text == "" {
		return nil
	}
	words := strings.Split(text, ",")
	// A comma at the end is allowed, as in Python.
	if n := len(words); n > 1 && strings.TrimSpace(words[n-1]) == "" {
		words = words[:n-1]
	}
	dots := slices.IndexFunc(words, isDots)
	rest := len(shape) - len(words)
	if dots >= 0 {
		rest++
	}
	if rest < 0 {
		return fmt.Errorf("too many indices: the array has %s", count(int64(len(shape)), "dimension"))
	}
	d := 0
	for i, w := range words {
		switch {
		case i == dots:
			d += rest
			continue
		case isDots(w):
			return fmt.Errorf("%q: must be used only once", "...")
		}
		if err := s.span(d, strings.TrimSpace(w), shape[d]); err != nil {
			return fmt.Errorf("dimension %d: %w", d, err)
		}
		d++
	}
	return nil
}

func isDots(w string) bool {
	w = strings.TrimSpace(w)
	return w == "..." || w == "…"
}

// span parses the index or slice along a dimension of n items.
func (s *selection) span(d int, text string, n int64) error {
	parts := strings.Split(text, ":")
	if len(parts) == 1 {
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%q: must be an index or START:STOP:STEP", text)
		}
		if i < -n || i >= n {
			if n == 0 {
				return fmt.Errorf("item %d: there are no items", i)
			}
			return fmt.Errorf("item %d: is out of range; must be %d to %d", i, -n, n-1)
		}
		if i < 0 {
			i += n
		}
		s.Window[d] = b2nd.Span{Start: i, Stop: i + 1, Step: 1, Drop: true}
		return nil
	}
	if len(parts) > 3 {
		return fmt.Errorf("%q: must be START:STOP:STEP", text)
	}
	var num [3]int64
	var has [3]bool
	for i, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		v, err := strconv.ParseInt(p, 10, 64)
		if err != nil {
			return fmt.Errorf("%q: must be START:STOP:STEP with whole numbers", text)
		}
		num[i], has[i] = v, true
	}
	step := int64(1)
	if has[2] {
		step = num[2]
	}
	if step == 0 || step == -1<<63 {
		return fmt.Errorf("%q: the step must not be 0", text)
	}
	s.Window[d], s.backward[d] = spanOf(num[0], has[0], num[1], has[1], step, n)
	return nil
}

// spanOf returns the items that Python's slice selects, lowest first, and whether
// it selects them backward.
func spanOf(start int64, hasStart bool, stop int64, hasStop bool, step, n int64) (b2nd.Span, bool) {
	low, high := int64(0), n // limits of start and stop
	if step < 0 {
		low, high = -1, n-1
	}
	within := func(i int64) int64 {
		if i < 0 {
			i += n
		}
		return min(max(i, low), high)
	}
	first, last := low, high
	if step < 0 {
		first, last = high, low
	}
	if hasStart {
		first = within(start)
	}
	if hasStop {
		last = within(stop)
	}
	if step > 0 {
		return b2nd.Span{Start: first, Stop: max(first, last), Step: step}, false
	}
	if first <= last {
		return b2nd.Span{Step: 1}, false // an empty span
	}
	count := (first-last-1)/-step + 1
	lowest := first + (count-1)*step
	return b2nd.Span{Start: lowest, Stop: first + 1, Step: -step}, true
}

// arrange reverses the items of a piece along the backward dimensions, and selects the
// field. rows is the length of the piece along the first dimension.
func (s *selection) arrange(b []byte, rows int64) []byte {
	inner := int64(s.item)
	for d := len(s.Window) - 1; d >= 0; d-- {
		n := s.Window[d].Len()
		if d == 0 {
			n = rows
		}
		if s.backward[d] {
			turn(b, n*inner, inner)
		}
		inner *= n
	}
	size := s.taken()
	if size == s.item {
		return b
	}
	n := len(b) / s.item
	for i := range n {
		copy(b[i*size:(i+1)*size], b[i*s.item+s.offset:])
	}
	return b[:n*size]
}

// taken returns the number of bytes of an item that the selection has.
func (s *selection) taken() int {
	n := s.dtype.Size
	for _, side := range s.inner {
		n *= side
	}
	return n
}

// turn reverses the order of the parts of inner bytes in each part of outer bytes.
func turn(b []byte, outer, inner int64) {
	tmp := make([]byte, inner)
	for ; int64(len(b)) >= outer && outer > 0; b = b[outer:] {
		for i, j := int64(0), outer-inner; i < j; i, j = i+inner, j-inner {
			copy(tmp, b[i:i+inner])
			copy(b[i:i+inner], b[j:j+inner])
			copy(b[j:j+inner], tmp)
		}
	}
}
