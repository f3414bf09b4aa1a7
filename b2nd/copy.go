package b2nd

import "io"

const (
	// copyGoal is the number of bytes that WriteTo reads at a time, if the chunks
	// allow it.
	copyGoal = 16 << 20
	// copyMax is the most bytes that WriteTo reads at a time. If a slab of chunks is
	// larger, chunks are decompressed more than once.
	copyMax = 256 << 20
)

// WriteTo writes all items to dst in C order. It reads slab by slab: whole
// chunks along the first dimension, or along a later one if a single row is too
// large, at most 256 MiB. Bytes written before an error are valid.
func (a *Array) WriteTo(dst io.Writer) (n int64, err error) {
	return a.writeTo(dst, copyGoal, copyMax)
}

func (a *Array) writeTo(dst io.Writer, goal, most int64) (n int64, err error) {
	shape := a.grid.shape
	if a.Size() == 0 {
		return 0, nil
	}
	if len(shape) == 0 {
		b, err := a.ReadAll()
		if err != nil {
			return 0, err
		}
		m, err := dst.Write(b)
		return int64(m), err
	}
	axis, row := a.slabAxis(most)
	step := slabRows(row, a.grid.chunk[axis], goal, most)
	step = min(step, shape[axis])
	buf := make([]byte, step*row)
	w := All(shape)
	for d := range axis {
		w[d] = Span{Start: 0, Stop: 1, Step: 1}
	}
	for {
		for at := int64(0); at < shape[axis]; at += step {
			w[axis] = Span{Start: at, Stop: min(at+step, shape[axis]), Step: 1}
			part := buf[:w[axis].Len()*row]
			if err := a.ReadWindow(part, w); err != nil {
				return n, err
			}
			m, err := dst.Write(part)
			n += int64(m)
			if err != nil {
				return n, err
			}
		}
		d := axis - 1
		for ; d >= 0 && w[d].Stop == shape[d]; d-- {
			w[d] = Span{Start: 0, Stop: 1, Step: 1}
		}
		if d < 0 {
			return n, nil
		}
		w[d].Start++
		w[d].Stop++
	}
}

// slabAxis returns the dimension that slabs are cut along: the first one with
// steps that are not too large. row is the size of a step in bytes.
func (a *Array) slabAxis(most int64) (axis int, row int64) {
	shape := a.grid.shape
	row = int64(a.ItemSize())
	for axis = len(shape) - 1; axis > 0 && row*shape[axis] <= most; axis-- {
		row *= shape[axis]
	}
	return axis, row
}

// slabRows returns the number of rows of a slab: whole chunks, about goal bytes,
// unless a single one has more than most.
func slabRows(row, chunk, goal, most int64) int64 {
	if n := max(1, most/row); n < chunk {
		return n
	}
	return chunk * max(1, goal/(chunk*row))
}
