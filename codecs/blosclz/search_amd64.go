//go:build !purego

package blosclz

import "github.com/seed03b80dae/blosc2/internal/kernels"

var hasSearch bool

func init() {
	kernels.Register(func(t kernels.Tier) { hasSearch = t >= kernels.SSE })
}

//go:noescape
func searchNear(at *uint16, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

//go:noescape
func searchFar(at *uint32, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

//go:noescape
func writeNear(at *uint16, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)

//go:noescape
func writeFar(at *uint32, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)

func (t *table[P]) search(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int) {
	if !hasSearch {
		return t.searchGeneric(src, i, limit, minFar, deep, found)
	}
	switch t := any(t).(type) {
	case *table[uint16]:
		return searchNear(&t.at[0], t.shift, src, i, limit, minFar, deep, found)
	case *table[uint32]:
		return searchFar(&t.at[0], t.shift, src, i, limit, minFar, deep, found)
	}
	panic("unreachable")
}

func (t *table[P]) write(dst []byte, op int, src []byte, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int) {
	if !hasSearch {
		n, next = t.searchGeneric(src, i, limit, minFarLength, deep, found)
		return n, next, op, anchor
	}
	switch t := any(t).(type) {
	case *table[uint16]:
		return writeNear(&t.at[0], t.shift, dst, src, op, anchor, i, limit, deep, found)
	case *table[uint32]:
		return writeFar(&t.at[0], t.shift, dst, src, op, anchor, i, limit, deep, found)
	}
	panic("unreachable")
}
