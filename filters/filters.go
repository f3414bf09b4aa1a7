// Package filters prepares blocks for compression: it moves the bytes of a
// block, or reduces their information, so that a codec finds more in them. It
// holds the interface that every filter meets, the registry, the filters of
// the format, and the pipeline of six slots.
//
// Filter numbers and layouts: spec/filters.md.
package filters

import "github.com/seed03b80dae/blosc2"

// Slots is the number of filters that a pipeline can hold.
const Slots = 6

// Params is what a filter may want to know about the block.
type Params struct {
	TypeSize        int     // bytes of an item as the chunk header says: 1 to 255
	LogicalTypeSize int     // bytes of an item as the frame says; 0 where unknown (then TypeSize)
	Meta            uint8   // the slot's own byte
	Block           int     // number of the block in its chunk
	Ref             []byte  // delta: block 0 of the chunk, unfiltered; nil while block 0 itself is coded
	Version         uint8   // chunk version, which decides bitshuffle's rule for the tail
	BlockShape      []int32 // shape of a block in items, nil where the data are no array
}

// A Filter transforms blocks. It keeps no state, and is safe for concurrent
// use.
type Filter interface {
	ID() blosc2.FilterID

	// Forward filters src into dst, which has the same length and does not
	// overlap src. Every byte of dst is written.
	Forward(dst, src []byte, p Params) error

	// Backward undoes Forward, as far as the filter is lossless.
	Backward(dst, src []byte, p Params) error
}

// A Pipeline names the filters of a chunk with their parameters. Slot 0 is
// applied first when encoding, and undone last.
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
