package frame

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// readEnds reads the parts of a sealed frame before and after the chunks:
// records, index and trailer.
func (f *Reader) readEnds() error {
	headerLen := int64(len(f.raw))
	switch {
	case f.h.FrameLen > math.MaxInt64 || f.frameLen < headerLen:
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "invalid frame length %d with a header of %d bytes", f.h.FrameLen, headerLen)
	case f.h.Type == header.Contiguous && f.frameLen > f.size:
		return blosc2.Errorf(blosc2.PartHeader, io.ErrUnexpectedEOF, "the file is truncated: it has %d of %d bytes; repair saves the intact chunks", f.size, f.frameLen)
	case f.h.NBytes > 0 && f.h.Type == header.Contiguous && f.h.CBytes > f.frameLen-headerLen:
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "%d bytes of data in %d bytes of chunks, which do not fit into a frame of %d", f.h.NBytes, f.h.CBytes, f.frameLen)
	}
	if err := f.checkHeader(); err != nil {
		return err
	}
	at, index, err := f.indexChunk()
	if err != nil {
		return err
	}
	trailer, err := f.readTrailer(at + int64(len(index)))
	if err != nil {
		return err
	}
	if err := f.checkTail(at, index, trailer); err != nil {
		return err
	}
	return f.parseIndex(index)
}

// checkHeader checks the header against its record, if it has one. If another program has
// changed the frame since, the sizes in the mark are no longer those in the header. Then
// the record is ignored. If the mark is valid or cannot be read, the record must match.
func (f *Reader) checkHeader() error {
	at := int64(len(f.raw))
	must := f.mark.checks && (f.h.NBytes > 0 || f.mark.open)
	if !f.mark.open && f.frameLen-at < recordLen || !must && f.h.Type != header.Contiguous {
		return f.noRecord(must)
	}
	rec, ok := parseRecord(f.rest)
	if !ok || rec.kind != kindHeader {
		return f.noRecord(must)
	}
	f.rec1 = true
	if rec.value == framing.Digest(f.raw) || f.cfg.renew {
		return nil
	}
	if f.mark.edited && !f.markDamaged(rec.value) {
		return nil
	}
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrChecksum, "the digest in the record after it does not match; %s", renewHint)
}

// renewHint is added to the error for a header that is damaged or was changed in place by
// software that does not support records.
const renewHint = "repair rebuilds it; only if a metalayer was changed on purpose, seal --renew accepts the change"

func (f *Reader) noRecord(must bool) error {
	if !must {
		return nil
	}
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrChecksum, "its record is missing")
}

// markDamaged reports whether only the mark is damaged: the digest matches once the mark
// gets the header's sizes. An edit by another program would have changed the header's
// sizes, and the digest would not match.
func (f *Reader) markDamaged(digest uint64) bool {
	h := *f.h
	i := slices.IndexFunc(h.Layers, func(l meta.Layer) bool { return l.Name == meta.StreamName })
	m, err := meta.ParseStream(h.Layers[i].Value)
	if err != nil {
		return false
	}
	m.FrameLen, m.NBytes, m.CBytes = h.FrameLen, h.NBytes, h.CBytes
	value, err := m.Append(nil)
	if err != nil {
		return false
	}
	h.Layers = slices.Clone(h.Layers)
	h.Layers[i].Value = value
	b, err := h.Append(nil)
	return err == nil && framing.Digest(b) == digest
}

// indexChunk reads the stored index. It returns nil if the frame has none.
func (f *Reader) indexChunk() (at int64, index []byte, err error) {
	at = int64(len(f.raw))
	if f.h.NBytes == 0 {
		// C-Blosc2 does not read beyond the data that are present, whatever cbytes says
		// (docs/format/frame.md §3).
		return at, nil, f.h.Settle(at)
	}
	if f.h.Type == header.Contiguous {
		at += f.h.CBytes
	}
	head := f.mem.scratch[:chunk.HeaderLen]
	n := min(int64(len(head)), f.frameLen-at)
	if err := f.readAt(blosc2.PartIndex, head[:n], at); err != nil {
		return at, nil, err
	}
	h, err := chunk.ParseHeader(head[:n])
	if err != nil {
		return at, nil, indexError(err, at)
	}
	if int64(h.CBytes) > f.frameLen-at {
		return at, nil, errorAt(at, blosc2.PartIndex, blosc2.ErrCorrupt, "has %d bytes, but the frame ends after %d", h.CBytes, f.frameLen-at)
	}
	if err := check(blosc2.PartIndex, "index", max(int64(h.NBytes), int64(h.CBytes)), f.cfg.limits.Index); err != nil {
		return at, nil, err
	}
	if err := f.h.Settle(at + int64(h.CBytes)); err != nil {
		return at, nil, err
	}
	index, err = f.intoAt(&f.mem.index, blosc2.PartIndex, at, int64(h.CBytes))
	return at, index, err
}

// readTrailer finds the trailer from the frame's end. The trailer must not begin before
// least, where the index ends.
func (f *Reader) readTrailer(least int64) ([]byte, error) {
	f.trailerAt = f.frameLen
	if !f.h.Generation.HasTrailer() {
		return nil, nil
	}
	b, err := f.trailerFromEnd(least)
	if err != nil && f.h.Generation == header.Layout2019Trailer {
		// The libraries of late August 2019 did not count the user metadata in the
		// length.
		b, err = f.trailerFrom(least)
	}
	if err != nil {
		return nil, err
	}
	f.vlmeta, err = parseTrailer(f.h, b)
	return b, err
}

// trailerFromEnd reads the trailer whose length is stored at the frame's end.
func (f *Reader) trailerFromEnd(least int64) ([]byte, error) {
	end := f.mem.scratch[:header.TrailerEnd]
	if err := f.readAt(blosc2.PartTrailer, end, f.frameLen-int64(len(end))); err != nil {
		return nil, err
	}
	n, err := f.h.TrailerLen(end)
	if err != nil {
		return nil, err
	}
	if err := check(blosc2.PartTrailer, "trailer", int64(n), f.cfg.limits.Trailer); err != nil {
		return nil, err
	}
	f.trailerAt = f.frameLen - int64(n)
	if f.trailerAt < least {
		return nil, blosc2.Errorf(blosc2.PartTrailer, blosc2.ErrCorrupt, "begins at %d, before the end of the index at %d", f.trailerAt, least)
	}
	return f.intoAt(&f.mem.trailer, blosc2.PartTrailer, f.trailerAt, int64(n))
}

// trailerFrom reads the trailer at offset at.
func (f *Reader) trailerFrom(at int64) ([]byte, error) {
	f.trailerAt = at
	b, err := growTrailer(f.h, f.cfg.limits, nil, func(b []byte, n int64) ([]byte, error) {
		more, err := f.bytesAt(blosc2.PartTrailer, at+int64(len(b)), n)
		return append(b, more...), err
	})
	f.frameLen = at + int64(len(b))
	return b, err
}

// checkTail checks the end mark, index and trailer against their record. They have a
// record only if the mark is valid.
func (f *Reader) checkTail(at int64, index, trailer []byte) error {
	if !f.mark.holds || f.h.NBytes == 0 || f.h.Type != header.Contiguous {
		return nil
	}
	b := f.mem.scratch[:recordLen]
	if err := f.readAt(blosc2.PartRecord, b, at+int64(len(index))); err != nil {
		return err
	}
	rec, ok := parseRecord(b)
	if !ok || rec.kind != kindTail || f.trailerAt != at+int64(len(index))+recordLen || f.h.CBytes < endMarkLen {
		return errorAt(at, blosc2.PartIndex, blosc2.ErrChecksum, "the record between index and trailer is missing")
	}
	f.tailAt, f.tailSum = at+int64(len(index)), rec.value
	mark := f.mem.scratch[:endMarkLen]
	if err := f.readAt(blosc2.PartIndex, mark, at-endMarkLen); err != nil {
		return err
	}
	digest := newDigest(mark)
	digest.Write(index)
	digest.Write(trailer)
	if digest.Sum64() != rec.value && !f.cfg.renew {
		return errorAt(at, blosc2.PartIndex, blosc2.ErrChecksum, "the digest in the record between index and trailer does not match")
	}
	return nil
}

// parseIndex decodes the index and checks each offset.
func (f *Reader) parseIndex(index []byte) error {
	if index == nil {
		return nil
	}
	at := f.indexAt()
	f.mem.dec.MaxBytes = int(f.cfg.limits.Index)
	b, err := f.mem.dec.Decode(f.mem.entries[:0], index)
	if err != nil {
		return indexError(err, at)
	}
	f.mem.entries = b
	width, err := f.offsetWidth(len(b))
	if err != nil {
		return err
	}
	f.index = slices.Grow(f.index[:0], len(b)/width)[:len(b)/width]
	stored := int64(0)
	for i := range f.index {
		var o int64
		switch width {
		case 2:
			o = int64(binary.LittleEndian.Uint16(b[2*i:]))
		case 4:
			o = int64(binary.LittleEndian.Uint32(b[4*i:]))
		default:
			o = int64(binary.LittleEndian.Uint64(b[8*i:]))
		}
		if err := f.checkOffset(int64(i), o); err != nil {
			return err
		}
		f.index[i] = o
		if o >= 0 {
			stored++
		}
	}
	if f.h.Type == header.Contiguous && stored > f.h.CBytes/chunk.MinHeaderLen {
		return errorAt(at, blosc2.PartIndex, blosc2.ErrCorrupt, "lists %d chunks, which do not fit into %d bytes", stored, f.h.CBytes)
	}
	return nil
}

// checkOffset checks one entry of the index.
func (f *Reader) checkOffset(i, o int64) error {
	if o < 0 {
		if _, ok := specialOf(o); !ok {
			return f.corruptEntry(i, "unknown special chunk %#016x", uint64(o))
		}
		return nil
	}
	if f.h.Type == header.Contiguous && o > f.h.CBytes-chunk.MinHeaderLen {
		return f.corruptEntry(i, "offset %d is outside the %d bytes of chunks", o, f.h.CBytes)
	}
	return nil
}

// offsetWidth returns the size of an entry in an index of n bytes. It checks that the
// number of entries agrees with the sizes in the header. The header states the width, but
// in an encoding that changed over time. Only a width of 8 was ever written
// (docs/format/generations.md §3).
func (f *Reader) offsetWidth(n int) (int, error) {
	if size := int64(f.h.ChunkSize); size > 0 {
		chunks := f.h.NBytes / size
		if f.h.NBytes%size > 0 {
			chunks++
		}
		for _, width := range []int{8, f.h.OffsetWidth} {
			if width > 0 && n%width == 0 && int64(n/width) == chunks { // any number of chunks is possible
				return width, nil
			}
		}
		return 0, errorAt(f.indexAt(), blosc2.PartIndex, blosc2.ErrCorrupt, "decodes to %d bytes, which do not match %d chunks", n, chunks)
	}
	width := f.h.OffsetWidth
	if width == 0 {
		width = 8
	}
	if n == 0 || n%width != 0 {
		return 0, errorAt(f.indexAt(), blosc2.PartIndex, blosc2.ErrCorrupt, "decodes to %d bytes; must be a positive multiple of %d", n, width)
	}
	return width, nil
}

// specialOf returns the special chunk that a negative entry encodes. C-Blosc2
// tests the bits in this order (docs/format/frame.md §1.3).
func specialOf(entry int64) (chunk.Special, bool) {
	switch top := uint64(entry) >> 56; {
	case top&1 != 0:
		return chunk.Zeros, true
	case top&4 != 0:
		return chunk.Uninit, true
	case top&2 != 0:
		return chunk.NaN, true
	}
	return 0, false
}

// indexAt returns the offset of the index.
func (f *Reader) indexAt() int64 {
	if f.h.Type == header.Directory {
		return int64(len(f.raw))
	}
	return int64(len(f.raw)) + f.h.CBytes
}

func (f *Reader) corruptEntry(i int64, format string, args ...any) error {
	fe := blosc2.Errorf(blosc2.PartIndex, blosc2.ErrCorrupt, format, args...)
	fe.Chunk = i
	return fe
}

// indexError converts the error of a chunk to one about the index, which begins at
// offset at.
func indexError(err error, at int64) error {
	return errorAt(at, blosc2.PartIndex, err, "cannot be decoded")
}
