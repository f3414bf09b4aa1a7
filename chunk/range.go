package chunk

import "github.com/seed03b80dae/blosc2"

// DecodeRange fills dst with the decoded bytes of the chunk c that begin at offset off.
// It decodes only the blocks that hold them, and block 0 if the delta filter needs it. A
// range outside the chunk returns a *blosc2.OptionError. Other errors are those of
// Decode; after one, dst may be partly overwritten. dst must not overlap c.
func (d *Decoder) DecodeRange(dst, c []byte, off int) error {
	l := &d.layout
	if err := d.open(l, c); err != nil {
		return err
	}
	if off < 0 || off > l.Header.NBytes-len(dst) {
		return &blosc2.OptionError{Option: "range of a chunk", Value: [2]int{off, off + len(dst)}, Range: "within the chunk's bytes"}
	}
	return d.decode(dst, c, l, off)
}

// DecodeBlock decodes block i of a chunk into dst. block holds the bytes of the block's
// Extent, and dst has DecodedLen(i, block) bytes. If l.NeedsRef and i > 0, l.Ref must be
// set. Offsets in errors count from the chunk's start. dst must not overlap block.
func (d *Decoder) DecodeBlock(dst, block []byte, l *Layout, i int) error {
	h := &l.Header
	if i < 0 || i >= l.NumBlocks {
		return &blosc2.OptionError{Option: "block", Value: i, Range: "0 or more and below the chunk's number of blocks"}
	}
	if want := l.BlockLen(i); want >= 0 && len(dst) != want {
		return &blosc2.OptionError{Option: "length of a block", Value: len(dst), Range: "the length that BlockLen returns"}
	}
	if i > 0 && l.NeedsRef() && len(l.Ref) == 0 {
		return &blosc2.OptionError{Option: "Layout.Ref", Value: "none", Range: "the decoded block 0, for the delta filter"}
	}
	if h.Special() != NotSpecial {
		fillSpecial(dst, l, i*l.BlockSize)
		return nil
	}
	off, n := l.Extent(i)
	if len(block) != n {
		return &blosc2.OptionError{Option: "bytes of a block", Value: len(block), Range: "as many as its Extent"}
	}
	if err := d.prepare(h); err != nil {
		return err
	}
	if h.Memcpyed() {
		copy(dst, block)
		return nil
	}
	return d.block(dst, block, l, i, off)
}
