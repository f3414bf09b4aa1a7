package chunk

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// Check decodes the chunk c as Decode does, but drops the bytes, and returns the errors
// that Decode returns. It never needs more memory than a few blocks, so that they stay in
// the cache.
func (d *Decoder) Check(c []byte) error { return d.CheckPart(c, 0, 1) }

// CheckPart is like Check, for only some of the blocks: those of the given part, if they
// are divided into that many parts. part is 0 to parts-1. Several Decoders can share a
// chunk in this way. A part that does not exist returns a *blosc2.OptionError.
func (d *Decoder) CheckPart(c []byte, part, parts int) error {
	if part < 0 || part >= parts {
		return &blosc2.OptionError{Option: "part of a chunk", Value: part, Range: "0 or more and below the number of parts"}
	}
	l := &d.layout
	if err := d.open(l, c); err != nil {
		return err
	}
	h := &l.Header
	if !h.regular() || h.NBytes == 0 {
		return nil // such a chunk is valid whatever the bytes after its header are
	}
	if l.stated != 0 { // only decoding shows which block size is the right one
		if part > 0 {
			return nil
		}
		parts = 1
	}
	c = c[:h.CBytes]
	n := int64(l.NumBlocks)
	from, to := int(int64(part)*n/int64(parts)), int((int64(part)+1)*n/int64(parts))
	err := d.check(c, l, from, to)
	if err != nil && l.takeStated() && d.check(c, l, 0, l.NumBlocks) == nil {
		return nil
	}
	return err
}

// check decodes the blocks from from up to to, one after the other into the same memory.
// It keeps block 0 if others refer to it.
func (d *Decoder) check(c []byte, l *Layout, from, to int) error {
	if err := l.checkVL(c); err != nil {
		return err
	}
	if l.NeedsRef() && from > 0 && from < to {
		if err := d.decodeRef(c, l); err != nil {
			return err
		}
	}
	for i := from; i < to; i++ {
		src, n, err := l.source(c, i)
		if err != nil {
			return err
		}
		d.partial = room.Resize(d.partial, n)
		if err = d.block(d.partial, src, l, i, l.start(i)); err != nil {
			return err
		}
		if i == 0 && l.NeedsRef() {
			d.ref, d.partial = d.partial, d.ref
			l.Ref = d.ref
		}
	}
	return nil
}
