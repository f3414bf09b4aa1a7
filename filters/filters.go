// Package filters prepares blocks for compression: it moves the bytes of a block,
// or reduces their information, so that a codec compresses them better. It holds
// the interface that every filter implements, the registry, the filters of the
// format, and the pipeline of six slots.
//
// Data filtered with delta are only for readers that use this package: C-Blosc2
// reads parts of them (ranges, slices, items) wrongly, without an error, unless
// each chunk is a single block. See blosc2.FilterDelta.
//
// Section numbers in comments are those of docs/format/filters.md.
package filters

import "github.com/seed03b80dae/blosc2"

// A Params describes a block to a filter.
type Params struct {
	TypeSize        int     // bytes of an item according to the chunk header: 1 to 255
	LogicalTypeSize int     // bytes of an item according to the frame; 0 if unknown, which means TypeSize
	Meta            uint8   // parameter of the filter; a pipeline sets it
	Block           int     // number of the block in its chunk
	Ref             []byte  // for delta: block 0 of the chunk, unfiltered; not used for block 0 itself
	Version         uint8   // version byte of the chunk; 0 for the current one
	Undated         bool    // decoding an extended chunk of version 4 with 0 in byte 22: written before 29 April 2021
	BlockShape      []int32 // shape of a block in items, nil if the data are not an array
}

// itemSize returns the number of bytes of an item, which may exceed 255.
func (p Params) itemSize() int {
	if p.LogicalTypeSize > 0 {
		return p.LogicalTypeSize
	}
	return p.TypeSize
}

// A Filter transforms blocks. It keeps no state, and is safe for concurrent
// use.
type Filter interface {
	ID() blosc2.FilterID
	Name() string

	// Lossy reports whether Backward may return other bytes than Forward received.
	Lossy() bool

	// Check returns a *blosc2.OptionError if blocks cannot be encoded with
	// these parameters. It ignores Block, Ref, Version and Undated.
	Check(p Params) error

	// Forward filters src into dst, which has the same length and does not
	// overlap it. Every byte of dst is written. Its errors include those of
	// Check.
	Forward(dst, src []byte, p Params) error

	// Backward undoes Forward, except for information that a lossy filter has removed.
	// dst has the length of src and does not overlap it; every byte of it is written. An
	// error is or wraps a *blosc2.FormatError without a position.
	Backward(dst, src []byte, p Params) error
}

// An identity is a filter that leaves some blocks unchanged. The pipeline then need not
// copy them.
type identity interface {
	leaves(n int, p Params, forward bool) bool // for a block of n bytes
}
