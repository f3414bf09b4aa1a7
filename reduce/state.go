package reduce

import "math"

// A state is the intermediate result for some items.
type state[T number] struct {
	n        int64 // number of items
	valid    int64 // number of items that are not NaN
	sum      T
	min, max T
	mean, m2 float64 // m2 is the sum of the squared differences from the mean
}

// add adds an item.
func (s *state[T]) add(v T, op Op) {
	s.n++
	switch op {
	case Sum, Mean:
		s.sum += v
	case Min:
		if s.n == 1 || v < s.min || v != v {
			s.min = v
		}
	case Max:
		if s.n == 1 || v > s.max || v != v {
			s.max = v
		}
	case Std:
		d := float64(v) - s.mean
		s.mean += d / float64(s.n)
		s.m2 += d * (float64(v) - s.mean)
	case Count:
		if v == v {
			s.valid++
		}
	}
}

// addRow adds an item to each state.
func addRow[T number](row []state[T], items []T, op Op) {
	row = row[:len(items)]
	switch op {
	case Sum, Mean:
		for i, v := range items {
			row[i].n++
			row[i].sum += v
		}
	case Std:
		if len(row) == 0 {
			return
		}
		inv := 1 / float64(row[0].n+1) // all states have the same number of items
		for i, v := range items {
			s := &row[i]
			s.n++
			d := float64(v) - s.mean
			s.mean += d * inv
			s.m2 += d * (float64(v) - s.mean)
		}
	default:
		for i, v := range items {
			row[i].add(v, op)
		}
	}
}

// addRun adds a run of items.
func (s *state[T]) addRun(items []T, op Op) {
	if len(items) == 0 {
		return
	}
	r := state[T]{n: int64(len(items))}
	switch op {
	case Sum, Mean:
		r.sum = total(items)
	case Min:
		r.min = least(items)
	case Max:
		r.max = greatest(items)
	case Std:
		var sum float64
		for _, v := range items {
			sum += float64(v)
		}
		r.mean = sum / float64(r.n)
		for _, v := range items {
			d := float64(v) - r.mean
			r.m2 += d * d
		}
	case Count:
		for _, v := range items {
			if v == v {
				r.valid++
			}
		}
	}
	s.merge(&r, op)
}

// merge adds the items of o, which follow those of s.
func (s *state[T]) merge(o *state[T], op Op) {
	switch {
	case o.n == 0:
		return
	case s.n == 0:
		*s = *o
		return
	}
	switch op {
	case Sum, Mean:
		s.sum += o.sum
	case Min:
		if o.min < s.min || o.min != o.min {
			s.min = keepNaN(s.min, o.min)
		}
	case Max:
		if o.max > s.max || o.max != o.max {
			s.max = keepNaN(s.max, o.max)
		}
	case Std:
		d := o.mean - s.mean
		n := float64(s.n + o.n)
		s.mean += d * float64(o.n) / n
		s.m2 += o.m2 + d*d*float64(s.n)*float64(o.n)/n
	case Count:
		s.valid += o.valid
	}
	s.n += o.n
}

// keepNaN returns the new value, or the old one if that is a NaN.
func keepNaN[T number](old, new T) T {
	if old != old {
		return old
	}
	return new
}

// total adds the items in four sums, which the processor computes in parallel.
func total[T number](items []T) T {
	var a, b, c, d T
	for len(items) >= 4 {
		a += items[0]
		b += items[1]
		c += items[2]
		d += items[3]
		items = items[4:]
	}
	for _, v := range items {
		a += v
	}
	return (a + b) + (c + d)
}

// least returns the smallest item, or a NaN if there is one.
func least[T number](items []T) T {
	m := items[0]
	for _, v := range items {
		if v < m {
			m = v
		} else if v != v {
			return v
		}
	}
	return m
}

// greatest returns the largest item, or a NaN if there is one.
func greatest[T number](items []T) T {
	m := items[0]
	for _, v := range items {
		if v > m {
			m = v
		} else if v != v {
			return v
		}
	}
	return m
}

// float returns the result of Mean and Std.
func (s *state[T]) float(op Op) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	if op == Mean {
		return float64(s.sum) / float64(s.n)
	}
	return math.Sqrt(s.m2 / float64(s.n))
}
