package b2nd

import "iter"

// A Chunk is the items of one chunk, without padding.
type Chunk struct {
	Index  []int64 // the chunk's number along each dimension
	Window Window  // the chunk's window in the array
	Items  []byte  // the items, in C order
}

// Chunks yields the items of w, all of the array if it is nil, chunk by chunk,
// the chunks in C order: a loop over all items reads every chunk once and holds
// one in memory. The memory of a Chunk is overwritten by the next one. An error
// ends the sequence.
func (a *Array) Chunks(w Window) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		if w == nil {
			w = All(a.grid.shape)
		}
		w, err := w.in(a.grid.shape)
		if err != nil {
			yield(Chunk{}, err)
			return
		}
		if product(w.lens()) == 0 {
			return
		}
		c := Chunk{Index: make([]int64, len(w)), Window: make(Window, len(w))}
		at := a.grid.chunksOf(w)
		ahead := a.ahead(w, at)
		defer ahead.Close()
		for ok := at.start(); ok; ok = at.next() {
			if err := ahead.Step(); err != nil {
				yield(Chunk{}, err)
				return
			}
			copy(c.Index, at.at[:])
			if !a.grid.clip(c.Window, w, c.Index) {
				continue
			}
			n := product(c.Window.lens()) * a.grid.item
			if int64(cap(c.Items)) < n {
				if c.Items, err = a.alloc(n); err != nil {
					yield(Chunk{}, err)
					return
				}
			}
			c.Items = c.Items[:n]
			if err := a.readWindow(c.Items, c.Window); err != nil {
				yield(Chunk{}, err)
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// clip sets part to the part of w in the chunk at index. It returns false if
// that is empty, because the chunk is between two steps.
func (g *grid) clip(part, w Window, index []int64) bool {
	for d, s := range w {
		origin := index[d] * g.chunk[d]
		s.Start = s.firstFrom(origin)
		s.Stop = min(s.Stop, origin+g.chunk[d])
		if s.Start >= s.Stop {
			return false
		}
		part[d] = s
	}
	return true
}
