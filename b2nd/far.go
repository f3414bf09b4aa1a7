package b2nd

import (
	"iter"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// all yields the coordinates of c. The next coordinate overwrites the previous one.
func (c counter) all() iter.Seq[*[MaxDim]int64] {
	return func(yield func(*[MaxDim]int64) bool) {
		for ok := c.start(); ok; ok = c.next() {
			if !yield(&c.at) {
				return
			}
		}
	}
}

// wants yields, for each chunk of at, a Want of the blocks that a read of w
// needs and that are not in the cache.
func (a *Array) wants(w Window, at counter, cache *frame.BlockCache) iter.Seq[framing.Want] {
	return func(yield func(framing.Want) bool) {
		var cells []cell
		for coords := range at.all() {
			cells = a.grid.cells(cells[:0], w, coords)
			place := counter{n: len(w), at: *coords}
			want := framing.Want{Chunk: place.index(a.grid.nchunks)}
			if len(cells) == 0 {
				want.Chunk = -1
			}
			if !a.plain && int64(len(cells)) < a.grid.live(coords) {
				want.Blocks = make([]int, len(cells))
				for i := range cells {
					want.Blocks[i] = cells[i].block
				}
				if cache.Has(a.f, want.Chunk, want.Blocks) {
					want.Chunk = -1
				}
			}
			if !yield(want) {
				return
			}
		}
	}
}

// ahead returns the Lookahead that fetches in advance the blocks of w at the coordinates
// of at.
func (a *Array) ahead(w Window, at counter) framing.Lookahead {
	return framing.ReadAhead(a.f.Context(), a.f, a.wants(w, at, nil))
}

// far does the work of readWindow for a remote source: it fetches chunks while it decodes
// earlier ones.
func (r *reading) far(at counter, workers int) error {
	ahead := framing.ReadAhead(r.a.f.Context(), r.a.f, r.a.wants(r.w, at, r.cache))
	defer ahead.Close()
	var coords [][MaxDim]int64
	for ok := at.start(); ok; {
		n, err := ahead.Next()
		if err != nil {
			return err
		}
		coords = coords[:0]
		for ; ok && n > 0; n-- {
			coords = append(coords, at.at)
			ok = at.next()
		}
		if err := r.each(pointers(coords), int64(len(coords)), workers); err != nil {
			return err
		}
	}
	return nil
}

// pointers yields pointers to the elements of s.
func pointers[T any](s []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range s {
			if !yield(&s[i]) {
				return
			}
		}
	}
}
