package filters

import (
	"github.com/seed03b80dae/blosc2"
)

// Slots is the number of filters that a pipeline can hold.
const Slots = 6

// A Pipeline names the filters of a chunk with their parameters. Slot 0 is
// applied first when encoding, and undone last. The zero value has no filter.
type Pipeline struct {
	IDs   [Slots]blosc2.FilterID
	Metas [Slots]uint8
}

// Default is the pipeline that C-Blosc2 and this library use where none is
// given: shuffle, in the last slot.
var Default = Pipeline{IDs: [Slots]blosc2.FilterID{5: blosc2.FilterShuffle}}

// Has tells whether the pipeline contains the filter.
func (p Pipeline) Has(id blosc2.FilterID) bool {
	for _, have := range p.IDs {
		if have == id {
			return true
		}
	}
	return false
}

// Empty tells whether the pipeline has no filter at all.
func (p Pipeline) Empty() bool { return p.IDs == [Slots]blosc2.FilterID{} }

// Lossy tells whether a filter of the pipeline is lossy. Filters that nobody
// registered are taken to be.
func (p Pipeline) Lossy() bool {
	for _, id := range p.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		if f, err := ByID(id); err != nil || f.Lossy() {
			return true
		}
	}
	return false
}

// Supported gives the error of ByID for the first filter that nobody
// registered.
func (p Pipeline) Supported() error {
	for _, id := range p.IDs {
		if id != blosc2.FilterNone {
			if _, err := ByID(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// Check tells why blocks cannot be encoded with this pipeline and these
// parameters: blosc2.ErrUnsupported for a filter that nobody registered, or a
// *blosc2.OptionError. prm.Meta, prm.Block and prm.Ref are not looked at.
func (p Pipeline) Check(prm Params) error {
	for i, id := range p.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		f, err := ByID(id)
		if err != nil {
			return err
		}
		prm.Meta = p.Metas[i]
		if err := f.Check(prm); err != nil {
			return err
		}
	}
	return nil
}

// Validate is Check for data that are no array, of items of typesize bytes.
func (p Pipeline) Validate(typesize int) error {
	return p.Check(Params{TypeSize: headerTypeSize(typesize), LogicalTypeSize: typesize})
}

// headerTypeSize is the typesize that a chunk's header holds for items of n
// bytes.
func headerTypeSize(n int) int {
	if n > 255 {
		return 1
	}
	return n
}

// Forward filters the block src. dst and tmp are as long as src, and none of
// the three overlaps another. The result is in out, which is dst, or src
// itself if no filter had anything to do; src is never written to.
func (p Pipeline) Forward(dst, tmp, src []byte, prm Params) (out []byte, err error) {
	dst, tmp = dst[:len(src)], tmp[:len(src)]
	var active [Slots]bool
	left := 0
	for i := range p.IDs {
		if active[i] = p.moves(i, len(src), prm, false); active[i] {
			left++
		}
	}
	out = src
	for i, id := range p.IDs {
		if !active[i] {
			continue
		}
		f, err := ByID(id)
		if err != nil {
			return nil, err
		}
		into := dst
		if left--; left%2 == 1 {
			into = tmp
		}
		prm.Meta = p.Metas[i]
		if err := f.Forward(into, out, prm); err != nil {
			return nil, err
		}
		out = into
	}
	return out, nil
}

// Backward undoes Forward: the block that src holds filtered is written to
// dst. dst and tmp are as long as src, and none of the three overlaps another;
// src is never written to. tmp is used by pipelines of several filters alone
// and may be nil for others.
func (p Pipeline) Backward(dst, tmp, src []byte, prm Params) error {
	dst = dst[:len(src)]
	var active [Slots]bool
	left := 0
	for i := range p.IDs {
		if active[i] = p.moves(i, len(src), prm, true); active[i] {
			left++
		}
	}
	if left == 0 {
		copy(dst, src)
		return nil
	}
	for i := Slots - 1; i >= 0; i-- {
		if !active[i] {
			continue
		}
		f, err := ByID(p.IDs[i])
		if err != nil {
			return err
		}
		into := dst
		if left--; left%2 == 1 {
			into = tmp[:len(src)]
		}
		prm.Meta = p.Metas[i]
		if err := f.Backward(into, src, prm); err != nil {
			return err
		}
		src = into
	}
	return nil
}

// moves tells whether the filter in slot i may change a block of n bytes. Where
// it certainly does not, the pipeline saves a copy.
func (p Pipeline) moves(i, n int, prm Params, backward bool) bool {
	switch p.IDs[i] {
	case blosc2.FilterNone:
		return false
	case blosc2.FilterShuffle:
		g := groupSize(p.Metas[i], prm)
		return g > 1 && n >= 2*g
	case blosc2.FilterTruncPrec, blosc2.FilterIntTrunc:
		return !backward
	}
	return true
}
