// Package filters prepares blocks for compression: it moves the bytes of a
// block, or reduces their information, so that a codec finds more in them. It
// holds the interface that every filter meets, the registry, the filters of
// the format, and the pipeline of six slots.
//
// Filter numbers and layouts: spec/filters.md.
package filters

import "github.com/seed03b80dae/blosc2"

// Params is what a filter may want to know about the block.
type Params struct {
	TypeSize        int     // bytes of an item as the chunk header says: 1 to 255
	LogicalTypeSize int     // bytes of an item as the frame says; 0 where unknown (then TypeSize)
	Meta            uint8   // the slot's own byte; the pipeline sets it
	Block           int     // number of the block in its chunk
	Ref             []byte  // delta: block 0 of the chunk, unfiltered; nil while block 0 itself is coded
	Version         uint8   // chunk version, which decides bitshuffle's rule for the tail; 0 for the current one
	BlockShape      []int32 // shape of a block in items, nil where the data are no array
}

// A Filter transforms blocks. It keeps no state, and is safe for concurrent
// use.
type Filter interface {
	ID() blosc2.FilterID
	Name() string

	// Lossy tells whether Backward gives other bytes than Forward was given.
	Lossy() bool

	// Check tells with a *blosc2.OptionError why blocks cannot be encoded with
	// these parameters, as far as that does not depend on the block's bytes.
	// Block and Ref are not looked at.
	Check(p Params) error

	// Forward filters src into dst, which has the same length and does not
	// overlap src. Every byte of dst is written.
	Forward(dst, src []byte, p Params) error

	// Backward undoes Forward, as far as the filter is lossless. dst has the
	// length of src and does not overlap it; every byte of it is written.
	Backward(dst, src []byte, p Params) error
}
