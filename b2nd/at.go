package b2nd

import (
	"errors"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/items"
)

// At reads one item. Its block is decoded unless it is in the cache: see Cache.
func At[T any](a *Array, index ...int64) (T, error) {
	var one [1]T
	plan, err := readPlan[T](a)
	if err != nil {
		return one[0], err
	}
	if plan.Direct() {
		b := items.Bytes(one[:])
		err = a.item(b, index)
		plan.Turn(b)
		return one[0], err
	}
	stored := make([]byte, plan.ItemSize())
	if err = a.item(stored, index); err == nil {
		plan.Load(items.Bytes(one[:]), stored)
	}
	return one[0], err
}

// item reads the bytes of one item.
func (a *Array) item(dst []byte, index []int64) error {
	g := a.grid
	if len(index) != len(g.shape) {
		return &blosc2.OptionError{Option: "index", Value: index, Range: fmt.Sprintf("of %d dimensions", len(g.shape))}
	}
	var chunk, block, in int64
	for d, i := range index {
		if i < 0 || i >= g.shape[d] {
			return &blosc2.OptionError{Option: fmt.Sprintf("index in dimension %d", d), Value: i, Range: fmt.Sprintf("0 to %d", g.shape[d]-1)}
		}
		c, b := g.chunk[d], g.block[d]
		chunk = chunk*g.nchunks[d] + i/c
		block = block*g.nblocks[d] + i%c/b
		in = in*b + i%c%b
	}
	if !a.plain {
		blocks := [1]int{int(block)}
		err := a.cache.ReadBlocks(a.f, chunk, blocks[:], func(_ int, data []byte) error {
			if int64(len(data)) != g.blockBytes {
				return errBlocks
			}
			copy(dst, data[in*g.item:])
			return nil
		})
		if err != errBlocks && !errors.Is(err, blosc2.ErrOption) {
			return err
		}
	}
	var spans [MaxDim]Span
	w := Window(spans[:0])
	for _, i := range index {
		w = append(w, Span{Start: i, Stop: i + 1, Step: 1})
	}
	return a.readWindow(dst, w)
}
