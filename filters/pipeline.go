package filters

import (
	"fmt"
	"slices"

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

// Default returns the default pipeline of C-Blosc2 and this library: shuffle,
// in the last slot.
func Default() Pipeline {
	return Pipeline{IDs: [Slots]blosc2.FilterID{5: blosc2.FilterShuffle}}
}

// Has reports whether the pipeline contains the filter.
func (p Pipeline) Has(id blosc2.FilterID) bool { return slices.Contains(p.IDs[:], id) }

// Empty reports whether the pipeline has no filter.
func (p Pipeline) Empty() bool { return p.IDs == [Slots]blosc2.FilterID{} }

// Several reports whether the pipeline has more than one filter. Such a pipeline needs
// memory for the block between two filters.
func (p Pipeline) Several() bool {
	n := 0
	for _, id := range p.IDs {
		if id != blosc2.FilterNone {
			n++
		}
	}
	return n > 1
}

// Lossy reports whether a filter of the pipeline is lossy. Filters that are not
// registered are treated as lossy.
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

// Supported returns the error of ByID for the first filter that is not
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

// Check returns a *blosc2.OptionError if blocks cannot be encoded with this pipeline
// and these parameters. If a filter is not registered it also wraps
// blosc2.ErrUnsupported. It ignores prm.Meta, Block, Ref, Version and Undated.
func (p Pipeline) Check(prm Params) error {
	lossy, delta := "", false
	for i, id := range p.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		f, err := ByID(id)
		if err != nil {
			return errUnregistered(id)
		}
		prm.Meta = p.Metas[i]
		if err := f.Check(prm); err != nil {
			return err
		}
		// The encoder takes the reference of delta from the original data, and the
		// decoder from the decoded data, so no lossy filter may precede delta. C-Blosc2
		// does not undo two deltas.
		if id == blosc2.FilterDelta && (lossy != "" || delta) {
			return &blosc2.OptionError{Option: "filters", Value: p.String(), Range: "a pipeline with at most one delta and no lossy filter before it"}
		}
		delta = delta || id == blosc2.FilterDelta
		if f.Lossy() {
			lossy = f.Name()
		}
	}
	return nil
}

// Validate is like Check, for data that are not an array and have items of typesize
// bytes.
func (p Pipeline) Validate(typesize int) error {
	if typesize < 1 {
		return &blosc2.OptionError{Option: "typesize", Value: typesize, Range: "at least 1"}
	}
	return p.Check(Params{TypeSize: headerTypeSize(typesize), LogicalTypeSize: typesize})
}

// Explicit sets the meta of bytedelta, the number of streams, where it would otherwise
// follow from the frame. C-Blosc2 needs it to decode a chunk without a frame.
func (p Pipeline) Explicit(typesize int) Pipeline {
	for i, id := range p.IDs {
		if id == blosc2.FilterByteDelta && p.Metas[i] == 0 {
			p.Metas[i] = uint8(headerTypeSize(typesize))
		}
	}
	return p
}

// headerTypeSize returns the typesize that a chunk's header holds for items of n bytes.
func headerTypeSize(n int) int {
	if n > 255 {
		return 1
	}
	return n
}

// Forward filters the block src and returns the result: dst, or src itself if no filter
// changes the block. dst and tmp must be as long as src, and the three must not overlap.
// src is never written to. Only pipelines of several filters use tmp; for others it may
// be nil.
func (p Pipeline) Forward(dst, tmp, src []byte, prm Params) (out []byte, err error) {
	steps, n, err := p.steps(len(src), prm, true)
	if err != nil {
		return nil, err
	}
	for i := range n {
		into := dst
		if (n-i)%2 == 0 {
			into = tmp
		}
		into = into[:len(src)]
		prm.Meta = steps[i].meta
		if err := steps[i].filter.Forward(into, src, prm); err != nil {
			return nil, err
		}
		src = into
	}
	return src, nil
}

// Backward undoes Forward: it writes the original of the filtered block src to dst. dst
// and tmp must be as long as src, and the three must not overlap. src is never written
// to. Only pipelines of several filters use tmp; for others it may be nil. prm.TypeSize
// must be at least 1.
func (p Pipeline) Backward(dst, tmp, src []byte, prm Params) error {
	steps, n, err := p.steps(len(src), prm, false)
	if err != nil {
		return err
	}
	if n == 0 {
		copy(dst, src)
		return nil
	}
	for i := n - 1; i >= 0; i-- {
		into := dst
		if i%2 == 1 {
			into = tmp
		}
		into = into[:len(src)]
		prm.Meta = steps[i].meta
		if err := steps[i].filter.Backward(into, src, prm); err != nil {
			return err
		}
		src = into
	}
	return nil
}

// A step is a filter that changes the block.
type step struct {
	filter Filter
	meta   uint8
}

// steps returns the filters that change a block of n bytes, in the order of the slots.
func (p *Pipeline) steps(n int, prm Params, forward bool) (s [Slots]step, count int, err error) {
	for i, id := range p.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		f, err := ByID(id)
		if err != nil {
			return s, 0, fmt.Errorf("slot %d: %w", i, err)
		}
		prm.Meta = p.Metas[i]
		if f, ok := f.(identity); ok && f.leaves(n, prm, forward) {
			continue
		}
		s[count] = step{f, p.Metas[i]}
		if count > 0 && fuses(s[count-1], s[count], prm) {
			s[count-1].filter = shuffleDelta{}
			continue
		}
		count++
	}
	return s, count, nil
}
