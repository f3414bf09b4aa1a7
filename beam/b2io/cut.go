package b2io

import (
	"cmp"
	"errors"
	"slices"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// cutFn cuts windows into pieces by shard, and emits parcels of these. It holds windows
// until they can be joined to larger ones, whose pieces compress better: a chunk is cut
// into as many pieces as there are shards.
type cutFn struct {
	Plan   []byte
	Folder string // folder in which the pieces are written; "" puts them into the parcels

	layout *layout
	boxes  [][]b2nd.Window
	held   []Window
	bytes  int // number of bytes of the items in held
	packer packer
	items  []byte // items of a piece
}

// holdMost is the number of bytes of items to collect before joining them.
const holdMost = 32 << 20

// Setup reads the plan.
func (f *cutFn) Setup() (err error) {
	if f.layout, err = parsePlan(f.Plan); err != nil {
		return err
	}
	f.boxes = make([][]b2nd.Window, f.layout.plan.Shards())
	for k := range f.boxes {
		f.boxes[k] = f.layout.boxes(k)
	}
	f.packer.folder = f.Folder
	return nil
}

// StartBundle drops the windows of a failed bundle.
func (f *cutFn) StartBundle(func(int, []byte)) error {
	f.held, f.bytes, f.packer.buf = nil, 0, nil
	return f.packer.close()
}

// ProcessElement adds a window, and cuts the windows that are held if there are enough.
func (f *cutFn) ProcessElement(w Window, emit func(int, []byte)) error {
	if _, err := f.layout.place(&w); err != nil {
		return err
	}
	f.held = append(f.held, w)
	if f.bytes += len(w.Items); f.bytes < holdMost {
		return nil
	}
	return f.cut(emit)
}

// FinishBundle cuts the remaining windows.
func (f *cutFn) FinishBundle(emit func(int, []byte)) error {
	return errors.Join(f.cut(emit), f.packer.close())
}

// cut cuts the windows that are held.
func (f *cutFn) cut(emit func(int, []byte)) error {
	held := f.held
	f.held, f.bytes = nil, 0
	all := join(held)
	for k, boxes := range f.boxes {
		for i := range all {
			for _, b := range boxes {
				if err := f.piece(&all[i], b); err != nil {
					return err
				}
			}
		}
		parcel, err := f.packer.parcel()
		if err != nil {
			return err
		}
		if parcel != nil {
			emit(k, parcel)
		}
	}
	return nil
}

// piece packs the items that w and the box have in common, as a window.
func (f *cutFn) piece(w *Window, b b2nd.Window) error {
	v, err := f.layout.place(w)
	if err != nil {
		return err
	}
	part, ok := intersect(v, b)
	if !ok {
		return nil
	}
	piece := *w
	if !slices.Equal(part, v) {
		whole := box{window: v, item: f.layout.item, items: w.Items}
		f.layout.setPlace(&piece, part)
		f.items = whole.appendTo(f.items[:0], part)
		piece.Items = f.items
	}
	return f.packer.add(&piece)
}

// join joins adjacent windows, along one dimension after the other, and returns
// the result. The order of the windows is lost.
func join(all []Window) []Window {
	if len(all) == 0 {
		return nil
	}
	for d := len(all[0].Start) - 1; d >= 0; d-- {
		slices.SortFunc(all, func(a, b Window) int {
			if c := cmp.Or(cmp.Compare(a.Source, b.Source), slices.Compare(a.Shape[:d], b.Shape[:d]), slices.Compare(a.Shape[d+1:], b.Shape[d+1:]),
				slices.Compare(a.Start[:d], b.Start[:d]), slices.Compare(a.Start[d+1:], b.Start[d+1:])); c != 0 {
				return c
			}
			return cmp.Compare(a.Start[d], b.Start[d])
		})
		var joined []Window
		for len(all) > 0 {
			n := 1
			for n < len(all) && beside(&all[n-1], &all[n], d) {
				n++
			}
			joined = append(joined, joinRun(all[:n], d))
			all = all[n:]
		}
		all = joined
	}
	return all
}

// beside reports whether b begins along dimension d where a ends.
func beside(a, b *Window, d int) bool {
	return a.like(b) && a.Start[d]+a.Shape[d] == b.Start[d] &&
		slices.Equal(a.Shape[:d], b.Shape[:d]) && slices.Equal(a.Shape[d+1:], b.Shape[d+1:]) &&
		slices.Equal(a.Start[:d], b.Start[:d]) && slices.Equal(a.Start[d+1:], b.Start[d+1:])
}

// like reports whether two windows are equal except for place, shape and items.
func (w *Window) like(v *Window) bool {
	return w.Source == v.Source && w.DType == v.DType && w.ItemSize == v.ItemSize &&
		w.Codec == v.Codec && w.CodecMeta == v.CodecMeta && w.Level == v.Level && w.Filters == v.Filters
}

// joinRun joins windows that are consecutive along dimension d.
func joinRun(run []Window, d int) Window {
	if len(run) == 1 {
		return run[0]
	}
	w := run[0]
	last := &run[len(run)-1]
	w.Shape = slices.Clone(w.Shape)
	w.Shape[d] = last.Start[d] + last.Shape[d] - w.Start[d]
	w.Items = make([]byte, w.Bytes())
	item := int64(w.ItemSize)
	for i := range run {
		eachRun(w.Window(), run[i].Window(), func(at, from, n int64) {
			copy(w.Items[at*item:(at+n)*item], run[i].Items[from*item:])
		})
	}
	return w
}
