package b2nd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// A Window is the part of an array that is read or written: along each
// dimension the items Start, Start+Step, … below Stop.
type Window []Span

// A Span is a window along one dimension: 0 ≤ Start ≤ Stop, and a Step of 1 or
// more. A Step of 0 means 1.
type Span struct {
	Start, Stop, Step int64
	Drop              bool // a single item was selected by index, so the result does not have this dimension
}

// Len returns the number of items in the span.
func (s Span) Len() int64 {
	if s.Stop <= s.Start {
		return 0
	}
	return ceilDiv(s.Stop-s.Start, max(s.Step, 1))
}

// All returns the window of a whole array of the given shape.
func All(shape []int64) Window {
	w := make(Window, len(shape))
	for d, n := range shape {
		w[d] = Span{Stop: n, Step: 1}
	}
	return w
}

// Shape returns the shape of the window, without dropped dimensions.
func (w Window) Shape() []int64 {
	shape := []int64{}
	for _, s := range w {
		if !s.Drop {
			shape = append(shape, s.Len())
		}
	}
	return shape
}

// lens returns the number of items along every dimension, including dropped
// ones.
func (w Window) lens() []int64 {
	n := make([]int64, len(w))
	for d, s := range w {
		n[d] = s.Len()
	}
	return n
}

// in returns the window with all steps given, or an error unless it lies within
// the shape.
func (w Window) in(shape []int64) (Window, error) {
	if len(w) != len(shape) {
		return nil, &blosc2.OptionError{Option: "window", Value: w, Range: fmt.Sprintf("of %d dimensions", len(shape))}
	}
	short := false
	for d, s := range w {
		if s.Start < 0 || s.Stop < s.Start || s.Stop > shape[d] || s.Step < 0 {
			return nil, &blosc2.OptionError{Option: fmt.Sprintf("window in dimension %d", d), Value: s,
				Range: fmt.Sprintf("within 0 to %d, start not after stop, and step not negative (0 means 1)", shape[d])}
		}
		short = short || s.Step == 0
	}
	if short {
		w = slices.Clone(w)
		for d := range w {
			w[d].Step = max(w[d].Step, 1)
		}
	}
	return w, nil
}

// ParseWindow reads a window of an array of the given shape in NumPy's
// notation: a comma between dimensions, each START:STOP:STEP, any of which may
// be omitted, or the index of one item. Negative numbers count from the end,
// and stops beyond it are clipped. Omitted dimensions are whole. Unlike in
// NumPy, steps must be positive.
func ParseWindow(text string, shape []int64) (Window, error) {
	w := All(shape)
	if strings.TrimSpace(text) == "" {
		return w, nil
	}
	fields := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), ","), ",") // "1:3," as in NumPy
	if len(fields) > len(shape) {
		return nil, &blosc2.OptionError{Option: "window", Value: text, Range: fmt.Sprintf("at most %d dimensions", len(shape))}
	}
	for d, f := range fields {
		s, err := parseSpan(strings.TrimSpace(f), shape[d])
		if err != nil {
			return nil, fmt.Errorf("dimension %d: %w", d, err)
		}
		w[d] = s
	}
	return w, nil
}

func parseSpan(text string, n int64) (Span, error) {
	part := strings.Split(text, ":")
	wrong := &blosc2.OptionError{Option: "window", Value: text, Range: "START:STOP:STEP with a step of 1 or more, or the number of an item"}
	num := func(i int, deflt int64) (int64, error) {
		if i >= len(part) || strings.TrimSpace(part[i]) == "" {
			return deflt, nil
		}
		return strconv.ParseInt(strings.TrimSpace(part[i]), 10, 64)
	}
	if len(part) == 1 {
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return Span{}, wrong
		}
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return Span{}, &blosc2.OptionError{Option: "item", Value: text, Range: fmt.Sprintf("%d to %d", -n, n-1)}
		}
		return Span{Start: i, Stop: i + 1, Step: 1, Drop: true}, nil
	}
	start, err1 := num(0, 0)
	stop, err2 := num(1, n)
	step, err3 := num(2, 1)
	if err1 != nil || err2 != nil || err3 != nil || step < 1 || len(part) > 3 {
		return Span{}, wrong
	}
	start, stop = clamp(start, n), clamp(stop, n)
	return Span{Start: start, Stop: max(start, stop), Step: step}, nil
}

// clamp counts a negative index from the end and keeps it within 0 to n.
func clamp(i, n int64) int64 {
	if i < 0 {
		i += n
	}
	return min(max(i, 0), n)
}
