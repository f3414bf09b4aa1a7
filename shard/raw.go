package shard

import (
	"io"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// rawSlab limits the bytes of rows in one read.
const rawSlab = 64 << 20

// A rawItems fills chunks from the items of an array in C order.
type rawItems struct {
	r   io.ReaderAt
	cut *b2nd.Cut

	items []byte      // items of the window held
	held  b2nd.Window // window that is in memory; nil before the first read
}

// fill reads the rows that hold the chunk, unless they are in memory. If they
// are too many it reads only the chunk's runs of items.
func (s *rawItems) fill(dst []byte, n int64) error {
	part := s.cut.Window(n)
	if !holds(s.held, part) {
		if err := s.read(part); err != nil {
			return err
		}
	}
	return s.cut.Pack(dst, n, s.items, s.held)
}

func holds(w, part b2nd.Window) bool {
	for d := range part {
		if w == nil || part[d].Start < w[d].Start || part[d].Stop > w[d].Stop {
			return false
		}
	}
	return w != nil
}

// read reads a window that contains part, as wide as the memory allows.
func (s *rawItems) read(part b2nd.Window) error {
	shape := s.cut.Shape()
	w := append(b2nd.Window{}, part...)
	for d := len(w) - 1; d > 0; d-- { // widen the window by whole inner dimensions while it is small enough
		wide := append(b2nd.Window{}, w...)
		wide[d] = b2nd.Span{Stop: shape[d], Step: 1}
		if bytesOf(wide, s.cut.ItemSize()) > rawSlab {
			break
		}
		w = wide
	}
	size := bytesOf(w, s.cut.ItemSize())
	if int64(cap(s.items)) < size {
		s.items = make([]byte, size)
	}
	s.items, s.held = s.items[:size], nil
	if err := s.runs(s.items, w, shape); err != nil {
		return err
	}
	s.held = w
	return nil
}

// bytesOf returns the number of bytes of a window with steps of 1.
func bytesOf(w b2nd.Window, item int) int64 {
	n := int64(item)
	for _, s := range w {
		n *= s.Stop - s.Start
	}
	return n
}

// runs reads the items of w, with one read for each run.
func (s *rawItems) runs(dst []byte, w b2nd.Window, shape []int64) error {
	run, inner := int64(s.cut.ItemSize()), len(w) // a run covers dimension inner and those after it
	for inner > 0 {
		inner--
		run *= w[inner].Stop - w[inner].Start
		if w[inner].Stop-w[inner].Start != shape[inner] {
			break
		}
	}
	if len(dst) == 0 {
		return nil
	}
	at := make([]int64, inner)
	for d := range at {
		at[d] = w[d].Start
	}
	for {
		off := int64(0)
		for d := range shape {
			i := w[d].Start
			if d < inner {
				i = at[d]
			}
			off = off*shape[d] + i
		}
		if err := readFull(s.r, dst[:run], off*int64(s.cut.ItemSize())); err != nil {
			return err
		}
		dst = dst[run:]
		d := inner - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < w[d].Stop {
				break
			}
			at[d] = w[d].Start
		}
		if d < 0 {
			return nil
		}
	}
}
