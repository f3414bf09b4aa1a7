package reduce

import "github.com/seed03b80dae/blosc2/b2nd"

// accumulators holds the states of the items of a window of the result. add is
// called with pieces of the array, in order.
type accumulators interface {
	add(*piece)
	bytes() []byte
}

func newAccumulators(r *Reduction, w b2nd.Window) accumulators {
	n := product(lens(w))
	switch r.kind() {
	case float:
		return &states[float64]{r: r, w: w, all: make([]state[float64], n)}
	case unsigned:
		return &states[uint64]{r: r, w: w, all: make([]state[uint64], n)}
	}
	return &states[int64]{r: r, w: w, all: make([]state[int64], n)}
}

// kind returns the type to which items are converted. Means use floats, because
// sums of integers could overflow.
func (r *Reduction) kind() kind {
	if r.op == Mean || r.op == Std {
		return float
	}
	return r.item.kind
}

func lens(w b2nd.Window) []int64 {
	n := make([]int64, len(w))
	for d, s := range w {
		n[d] = s.Stop - s.Start
	}
	return n
}

// states implements accumulators for one type.
type states[T number] struct {
	r   *Reduction
	w   b2nd.Window
	all []state[T]
}

// add merges the states of a piece into those of the window, in the order of the pieces.
func (s *states[T]) add(p *piece) {
	part := p.states.(*partStates[T])
	shape := lens(s.w)
	at := make([]int64, len(part.shape))
	for i := range part.all {
		to := int64(0)
		for d := range at {
			to = to*shape[d] + part.origin[d] - s.w[d].Start + at[d]
		}
		s.all[to].merge(&part.all[i], s.r.op)
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < part.shape[d] {
				break
			}
			at[d] = 0
		}
	}
}

// bytes returns the items of the result.
func (s *states[T]) bytes() []byte {
	r := s.r
	var b []byte
	for i := range s.all {
		a := &s.all[i]
		switch r.op {
		case Mean, Std:
			b = appendItem(b, a.float(r.op), itemType{name: "f8"})
		case Count:
			b = appendItem(b, a.valid, itemType{size: 8})
		case Min:
			b = appendItem(b, a.min, r.item)
		case Max:
			b = appendItem(b, a.max, r.item)
		default:
			t := itemType{size: 8}
			if r.item.kind == float {
				t.name = "f8"
			}
			b = appendItem(b, a.sum, t)
		}
	}
	return b
}

// A partStates is the result of one piece: the states of a box of the result.
type partStates[T number] struct {
	origin, shape []int64 // origin and shape of the box
	all           []state[T]
	items         []T
}

// reduce adds the items of a piece, in C order.
func (s *partStates[T]) reduce(r *Reduction, w b2nd.Window, items []byte) {
	s.items = numbers(s.items, items, r.item)
	s.origin, s.shape = s.origin[:0], s.shape[:0]
	for d, gone := range r.reduced {
		if !gone {
			s.origin, s.shape = append(s.origin, w[d].Start), append(s.shape, w[d].Stop-w[d].Start)
		}
	}
	n := product(s.shape)
	if int64(cap(s.all)) < n {
		s.all = make([]state[T], n)
	}
	s.all = s.all[:n]
	clear(s.all)

	// steps holds the stride of the states along each dimension.
	shape := lens(w)
	steps := make([]int64, len(shape))
	for d, step := len(shape)-1, int64(1); d >= 0; d-- {
		if !r.reduced[d] {
			steps[d] = step
			step *= shape[d]
		}
	}
	walk(s, r.op, shape, steps, s.items, 0)
}

// walk adds the items of a box of the given shape, which are in C order, to the states of
// s. The first item belongs to state number to, and steps holds the distances between
// states. It returns the items after the box.
func walk[T number](s *partStates[T], op Op, shape, steps []int64, items []T, to int64) []T {
	switch len(shape) {
	case 0:
		s.all[to].add(items[0], op)
		return items[1:]
	case 1:
		n := shape[0]
		if steps[0] == 0 {
			s.all[to].addRun(items[:n], op)
			return items[n:]
		}
		addRow(s.all[to:to+n], items[:n], op) // along the last kept axis each item has a state of its own
		return items[n:]
	}
	if steps[0] == 0 && inRun(steps) { // all remaining dimensions are reduced to one state
		n := product(shape)
		s.all[to].addRun(items[:n], op)
		return items[n:]
	}
	for range shape[0] {
		items = walk(s, op, shape[1:], steps[1:], items, to)
		to += steps[0]
	}
	return items
}

// inRun reports whether all items are added to one state.
func inRun(steps []int64) bool {
	for _, s := range steps {
		if s != 0 {
			return false
		}
	}
	return true
}
