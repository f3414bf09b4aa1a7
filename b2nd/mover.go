package b2nd

import (
	"slices"

	"github.com/seed03b80dae/blosc2/b2nd/internal/move"
)

const (
	// longLoop is the smallest number of runs along the innermost dimension for
	// which a loop is as fast as a table of the runs of several dimensions.
	longLoop = 64
	// fewItems is the largest number of items for which planning does not pay.
	fewItems = 32
	// manyItems is the smallest number of items for which planning pays for a
	// single box.
	manyItems = 4096
	// moverKinds is the number of kinds of boxes that a mover keeps: blocks at the
	// edges of a chunk alternate with whole ones.
	moverKinds = 8
)

// A mover copies n-dimensional boxes of items between strided buffers. It keeps
// the plans for the last kinds of boxes, because the next one is usually of the
// same kind. The zero mover is ready for use, by one goroutine at a time.
type mover struct {
	kinds [moverKinds]kind
	next  int  // the next one to replace
	small kind // the kind of a box that is too small to plan
}

// A kind is the shape and strides of a box, with the plan to copy it.
type kind struct {
	n                int
	item             int64
	extent, dst, src [MaxDim]int64 // the arguments of copy
	box              box
	outer            int // number of outer dimensions to iterate over; how describes the copy of the others
	how              way
	planned          bool
	table            move.Table
	window           move.Window
}

// A way is how the runs of the innermost dimensions are copied.
type way uint8

const (
	byLoop   way = iota // one after the other along the innermost dimension
	byTable             // with a table of the runs of several dimensions
	byWindow            // several together, along the two innermost dimensions
)

// copy moves extent items of item bytes each from src[so:] to dst[do:]. The
// strides are in bytes.
func (m *mover) copy(extent, dstStride, srcStride []int64, item int64, dst []byte, do int64, src []byte, so int64) {
	var k *kind
	if product(extent) <= fewItems {
		k = &m.small
		k.box = newBox(extent, dstStride, srcStride, item)
		k.outer = k.box.n - 1
	} else {
		k = m.kind(extent, dstStride, srcStride, item)
	}
	b := &k.box
	for d := range b.n {
		if b.extent[d] == 0 {
			return
		}
	}
	if b.n == 0 {
		copy(dst[do:do+b.run], src[so:so+b.run])
		return
	}
	k.level(0, dst, do, src, so)
}

// kind returns the plan for the box, making it if necessary.
func (m *mover) kind(extent, dst, src []int64, item int64) *kind {
	n := len(extent)
	for i := range m.kinds {
		k := &m.kinds[i]
		if k.n == n && k.item == item && slices.Equal(k.extent[:n], extent) && slices.Equal(k.dst[:n], dst) && slices.Equal(k.src[:n], src) {
			if !k.planned {
				k.plan()
			}
			return k
		}
	}
	k := &m.kinds[m.next]
	m.next = (m.next + 1) % moverKinds
	k.n, k.item = n, item
	copy(k.extent[:], extent)
	copy(k.dst[:], dst)
	copy(k.src[:], src)
	k.box = newBox(extent, dst, src, item)
	k.how, k.outer, k.planned = byLoop, k.box.n-1, false
	if product(extent) >= manyItems {
		k.plan()
	} // a smaller kind is planned when it recurs
	return k
}

// plan decides how the innermost dimensions are copied.
func (k *kind) plan() {
	b := &k.box
	k.planned = true
	if b.n == 0 || b.run > move.Short || product(b.extent[:b.n]) == 0 {
		return
	}
	last := b.n - 1
	if k.window.Plan(int(b.run), int(b.dst[last]), int(b.src[last]), int(b.extent[last])) {
		k.how, k.outer = byWindow, max(last-1, 0)
		return
	}
	if b.extent[last] >= longLoop {
		return
	}
	if d := b.tabled(); d < b.n {
		k.how, k.outer = byTable, d
		k.table.Reset(int(b.run))
		k.list(d, 0, 0)
	}
}

// tabled returns the outermost dimension from which on all runs fit a table.
func (b *box) tabled() int {
	const most = 1 << 31
	runs, dst, src := int64(1), int64(0), int64(0)
	for d := b.n - 1; d >= 0; d-- {
		n := max(b.extent[d], 1)
		if n > move.Runs/runs || b.dst[d] < 0 || b.dst[d] > most/n || b.src[d] < 0 || b.src[d] > most/n {
			return d + 1
		}
		dst += b.dst[d] * (n - 1)
		src += b.src[d] * (n - 1)
		if dst > most || src > most {
			return d + 1
		}
		runs *= n
	}
	return 0
}

// list adds the runs of the dimensions from d on to the table.
func (k *kind) list(d int, do, so int64) {
	b := &k.box
	if d == b.n-1 {
		k.table.Add(int(do), int(b.dst[d]), int(so), int(b.src[d]), int(b.extent[d]))
		return
	}
	for range b.extent[d] {
		k.list(d+1, do, so)
		do += b.dst[d]
		so += b.src[d]
	}
}

// level iterates over the dimensions from d on.
func (k *kind) level(d int, dst []byte, do int64, src []byte, so int64) {
	b := &k.box
	switch {
	case d < k.outer:
		for range b.extent[d] {
			k.level(d+1, dst, do, src, so)
			do += b.dst[d]
			so += b.src[d]
		}
	case k.how == byTable:
		k.table.Copy(dst, int(do), src, int(so))
	case k.how == byWindow && b.n == 1:
		k.window.Copy(dst, int(do), 0, src, int(so), 0, 1)
	case k.how == byWindow:
		k.window.Copy(dst, int(do), int(b.dst[d]), src, int(so), int(b.src[d]), int(b.extent[d]))
	default:
		move.Strided(dst, int(do), int(b.dst[d]), src, int(so), int(b.src[d]), int(b.extent[d]), int(b.run))
	}
}
